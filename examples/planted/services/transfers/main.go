// Command transfers moves goods between stores.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type store struct {
	mu    sync.Mutex
	goods int
}

type chain struct{ stores [4]store }

// move locks both stores, first the one that gives.
func (c *chain) move(from, to, count int) {
	giver, taker := &c.stores[from], &c.stores[to]
	giver.mu.Lock()
	defer giver.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	taker.mu.Lock()
	defer taker.mu.Unlock()
	giver.goods -= count
	taker.goods += count
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/move/%d"}}, func(mux *http.ServeMux) {
		c := &chain{}
		mux.HandleFunc("POST /move/{number}", func(_ http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			from, to := number%len(c.stores), number/100%len(c.stores)
			if from != to {
				c.move(from, to, 1)
			}
		})
	})
}
