// Command leases lends things to clients for a short time.
package main

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type lease struct {
	thing   string
	renewed atomic.Int64
	ended   chan struct{}
}

type office struct{ renewals atomic.Int64 }

// lend renews the lease until it ends.
func (o *office) lend(thing string) *lease {
	one := &lease{thing: thing, ended: make(chan struct{})}
	go o.renew(one, time.NewTicker(700*time.Millisecond))
	return one
}

func (o *office) renew(one *lease, ticker *time.Ticker) {
	for {
		select {
		case <-ticker.C:
			one.renewed.Add(1)
			o.renewals.Add(1)
		case <-one.ended:
			return
		}
	}
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/lend/t%d"}}, func(mux *http.ServeMux) {
		o := &office{}
		mux.HandleFunc("POST /lend/{thing}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(o.lend(r.PathValue("thing")).thing))
		})
	})
}
