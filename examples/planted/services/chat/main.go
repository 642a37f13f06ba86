// Command chat passes messages on to the members of rooms.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type subscriber struct {
	name    string
	since   time.Time
	pending [160]uint64
}

type room struct {
	mu          sync.Mutex
	subscribers map[string]*subscriber
}

type house struct{ rooms [10]room }

// subscribe adds a member for this visit.
func (r *room) subscribe(visit string) *subscriber {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := &subscriber{name: visit, since: time.Now()}
	r.subscribers[visit] = one
	return one
}

func main() {
	host.Serve(30, []host.Call{{Method: http.MethodPost, Path: "/visits/%d", Range: 1 << 30}}, func(mux *http.ServeMux) {
		h := &house{}
		for i := range h.rooms {
			h.rooms[i].subscribers = map[string]*subscriber{}
		}
		mux.HandleFunc("POST /visits/{visit}", func(w http.ResponseWriter, r *http.Request) {
			visit, _ := strconv.Atoi(r.PathValue("visit"))
			one := h.rooms[visit%len(h.rooms)].subscribe(r.PathValue("visit"))
			_, _ = w.Write([]byte(one.name))
		})
	})
}
