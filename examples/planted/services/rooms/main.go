// Command rooms sends what happens in a room to those who listen.
package main

import (
	"net/http"
	"sync"

	"example.com/services/internal/host"
)

type happening struct{ text string }

type hub struct {
	mu   sync.Mutex
	feed chan happening
	last happening
}

type listener struct {
	hub     *hub
	updates chan happening
	stop    chan struct{}
}

// pump waits for news until the listener stops.
func (l *listener) pump() {
	for {
		select {
		case one := <-l.updates:
			l.hub.mu.Lock()
			l.hub.last = one
			l.hub.mu.Unlock()
		case <-l.stop:
			return
		}
	}
}

func (h *hub) listen() *listener {
	one := &listener{hub: h, updates: make(chan happening), stop: make(chan struct{})}
	go one.pump()
	return one
}

func main() {
	host.Serve(60, []host.Call{{Weight: 3, Path: "/listen"}, {Weight: 1, Method: http.MethodPost, Path: "/leave"}}, func(mux *http.ServeMux) {
		h := &hub{feed: make(chan happening, 16)}
		mux.HandleFunc("GET /listen", func(w http.ResponseWriter, _ *http.Request) {
			one := h.listen()
			one.updates <- happening{"joined"}
			_, _ = w.Write([]byte("listening"))
		})
		mux.HandleFunc("POST /leave", func(http.ResponseWriter, *http.Request) { close(h.listen().stop) })
	})
}
