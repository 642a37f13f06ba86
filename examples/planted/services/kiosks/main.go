// Command kiosks shows the stock of kiosks, which change it at any time.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type kiosk struct {
	changes chan int
	stop    chan struct{}
	stock   atomic.Int64
	turns   atomic.Int64
}

// follow adds up changes, and looks after the kiosk in between.
func follow(k *kiosk) {
	for {
		select {
		case change := <-k.changes:
			k.stock.Add(int64(change))
		case <-time.After(250 * time.Microsecond):
			k.turns.Add(1)
		case <-k.stop:
			return
		}
	}
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPatch, Path: "/kiosks/%d"}}, func(mux *http.ServeMux) {
		var kiosks []*kiosk
		for range 18 {
			one := &kiosk{changes: make(chan int, 8), stop: make(chan struct{})}
			kiosks = append(kiosks, one)
			go follow(one)
		}
		mux.HandleFunc("PATCH /kiosks/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := kiosks[number%len(kiosks)]
			one.changes <- number%7 - 3
			_, _ = w.Write(strconv.AppendInt(nil, one.stock.Load(), 10))
		})
	})
}
