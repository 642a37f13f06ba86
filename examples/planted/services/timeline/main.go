// Command timeline keeps events in the order of their time, the newest first.
package main

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type event struct {
	at   int
	kind [12]int
}

type stream struct {
	mu     sync.Mutex
	events []event
}

const eventsMax = 4000

// push puts the events before the others.
func (s *stream) push(events []event) {
	for _, one := range events {
		s.events = slices.Insert(s.events, 0, one)
		if len(s.events) > eventsMax {
			s.events = s.events[:eventsMax]
		}
	}
}

func (s *stream) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	events := make([]event, 25)
	for i := range events {
		events[i].at = number + i
	}
	s.mu.Lock()
	s.push(events)
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/events/%d"}}, func(mux *http.ServeMux) {
		s := &stream{}
		mux.HandleFunc("POST /events/{number}", s.serve)
	})
}
