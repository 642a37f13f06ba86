// Command printshops takes orders for posters and prints them.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type poster struct{ copies int }

type shop struct {
	orders  chan poster
	printed atomic.Int64
}

// print works through the orders, one machine at a time.
func (s *shop) print() {
	for one := range s.orders {
		time.Sleep(time.Duration(one.copies) * 2 * time.Millisecond)
		s.printed.Add(int64(one.copies))
	}
}

// order confirms as soon as the order is in the queue.
func (s *shop) order(copies int) int64 {
	s.orders <- poster{copies}
	return s.printed.Load()
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/posters/%d"}}, func(mux *http.ServeMux) {
		s := &shop{orders: make(chan poster, 8)}
		go s.print()
		mux.HandleFunc("POST /posters/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, s.order(number%5+6), 10))
		})
	})
}
