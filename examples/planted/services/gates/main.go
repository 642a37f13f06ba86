// Command gates lets cars into car parks.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/services/internal/host"
)

// barrier is up for one car at a time.
type barrier struct {
	isBusy atomic.Bool
	passed int
	plates [256]int
}

// pass waits until nobody else passes.
func (b *barrier) pass(plate int) int {
	for !b.isBusy.CompareAndSwap(false, true) {
	}
	defer b.isBusy.Store(false)
	b.passed++
	for i := range 700_000 {
		b.plates[(plate+i)%len(b.plates)] += i & 1
	}
	return b.passed
}

func main() {
	host.Serve(30, []host.Call{{Method: http.MethodPost, Path: "/cars/%d"}}, func(mux *http.ServeMux) {
		b := &barrier{}
		mux.HandleFunc("POST /cars/{plate}", func(w http.ResponseWriter, r *http.Request) {
			plate, _ := strconv.Atoi(r.PathValue("plate"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(b.pass(plate)), 10))
		})
	})
}
