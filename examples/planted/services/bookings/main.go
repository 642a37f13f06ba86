// Command bookings reserves seats, and finds the seats that guests asked for.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type seat struct {
	mu    sync.Mutex
	guest int
}

type hall struct {
	seats   []seat
	names   []string
	wishes  []string
	byPlace map[string]int
}

func (h *hall) clear(from, count int) int {
	cleared := 0
	for i := from; i < from+count; i++ {
		one := &h.seats[i%len(h.seats)]
		one.mu.Lock()
		defer one.mu.Unlock()
		one.guest = 0
		cleared++
	}
	return cleared
}

func (h *hall) position(name string) int {
	for i, other := range h.names {
		if other == name {
			return i
		}
	}
	return -1
}

func (h *hall) assign() int {
	found := 0
	for _, wish := range h.wishes {
		if h.position(wish) >= 0 {
			found++
		}
	}
	return found
}

func main() {
	host.Serve(40, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/clear/%d"}, {Weight: 1, Method: http.MethodPost, Path: "/assign"}}, func(mux *http.ServeMux) {
		h := &hall{seats: make([]seat, 6000), names: sample.Keys("seat-", 1500), wishes: sample.Keys("seat-", 300)}
		for i, wish := range h.wishes {
			h.wishes[i] = h.names[(i*37+len(wish))%len(h.names)]
		}
		mux.HandleFunc("POST /clear/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(h.clear(from, 3000)), 10))
		})
		mux.HandleFunc("POST /assign", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(h.assign()), 10))
		})
	})
}
