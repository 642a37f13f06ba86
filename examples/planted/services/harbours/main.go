// Command harbours keeps the berths of ships, in parts that have a lock each.
package main

import (
	"net/http"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type quay struct {
	mu     sync.Mutex
	berths map[int]int
}

type harbour struct{ quays [32]quay }

func (h *harbour) moor(ship int) (berth int) {
	q := &h.quays[ship%len(h.quays)]
	draught := depth(ship)
	q.mu.Lock()
	defer q.mu.Unlock()
	if berth, ok := q.berths[ship]; ok {
		return berth
	}
	if len(q.berths) == 200 {
		clear(q.berths)
	}
	q.berths[ship] = draught
	return draught
}

// depth of the water that a ship needs, with the tides of a year.
func depth(ship int) (most int) {
	low, high := ship%17, ship%29
	for tide := range 60_000 {
		low, high = (low*31+tide)%997, (high*17+low)%991
		most = max(most, high-low)
	}
	return most
}

func main() {
	h := &harbour{}
	for i := range h.quays {
		h.quays[i].berths = make(map[int]int, 200)
	}
	host.Serve(55, []host.Call{{Method: http.MethodPut, Path: "/ships/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("PUT /ships/{ship}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, h.moor(web.Number(r, "ship")))
		}))
	})
}
