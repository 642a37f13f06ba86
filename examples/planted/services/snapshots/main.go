// Command snapshots keeps the newest states of machines and frees the memory of old ones at once.
package main

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type state struct {
	parts map[string]*string
}

type store struct {
	mu     sync.Mutex
	states [3000]*state
	writes int
}

func (s *store) put(machine int, one *state) {
	s.mu.Lock()
	s.states[machine%len(s.states)] = one
	s.writes++
	isDue := s.writes%4 == 0
	s.mu.Unlock()
	if isDue {
		s.tidy()
	}
}

// tidy gives back the memory of the states that were replaced.
func (s *store) tidy() { debug.FreeOSMemory() }

func newState(names []string, number int) *state {
	one := &state{parts: make(map[string]*string, len(names))}
	for _, name := range names {
		text := strconv.Itoa(number)
		one.parts[name] = &text
	}
	return one
}

func main() {
	host.Serve(65, []host.Call{{Method: http.MethodPut, Path: "/machines/%d"}}, func(mux *http.ServeMux) {
		s := &store{}
		names := sample.Keys("part", 60)
		mux.HandleFunc("PUT /machines/{number}", func(_ http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			s.put(number, newState(names, number))
		})
	})
}
