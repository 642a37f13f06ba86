// Command watchers tells clients when a parcel moves.
package main

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type move struct{ place string }

type tracker struct {
	mu        sync.Mutex
	listeners map[string][]chan move
}

// subscribe delivers the moves of a parcel.
func (t *tracker) subscribe(parcel string) <-chan move {
	moves := make(chan move)
	t.mu.Lock()
	t.listeners[parcel] = append(t.listeners[parcel], moves)
	t.mu.Unlock()
	return moves
}

func (t *tracker) watch(w http.ResponseWriter, r *http.Request) {
	first := make(chan move, 1)
	moves := t.subscribe(r.PathValue("parcel"))
	go t.follow(moves, first)
	select {
	case one := <-first:
		_, _ = w.Write([]byte(one.place))
	case <-time.After(20 * time.Millisecond):
		w.WriteHeader(http.StatusNoContent)
	}
}

func (t *tracker) follow(moves <-chan move, first chan<- move) {
	for one := range moves {
		select {
		case first <- one:
		default:
		}
	}
}

func (t *tracker) arrive(parcel string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, listener := range t.listeners[parcel] {
		listener <- move{"harbor"}
	}
}

func main() {
	host.Serve(50, []host.Call{{Weight: 5, Path: "/watch/p%d", Range: 100_000}, {Weight: 1, Method: http.MethodPost, Path: "/arrive/q%d"}}, func(mux *http.ServeMux) {
		t := &tracker{listeners: map[string][]chan move{}}
		mux.HandleFunc("GET /watch/{parcel}", t.watch)
		mux.HandleFunc("POST /arrive/{parcel}", func(_ http.ResponseWriter, r *http.Request) { t.arrive(r.PathValue("parcel")) })
	})
}
