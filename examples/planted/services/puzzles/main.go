// Command puzzles looks for the shortest way out of a puzzle.
package main

import (
	"iter"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type state struct {
	before *state
	place  int
	steps  []*int
}

type solver struct {
	mu     sync.Mutex
	solved [120][]*state
	next   int
}

// following yields the states that a move leads to.
func following(from *state) iter.Seq[*state] {
	return func(yield func(*state) bool) {
		for _, step := range [...]int{1, 7, 11, 13} {
			if !yield(&state{before: from, place: (from.place + step) % 1009, steps: []*int{&step, &from.place}}) {
				return
			}
		}
	}
}

// solve visits each place once.
func (s *solver) solve(start int) int {
	seen := [1009]bool{}
	visited := []*state{{place: start}}
	for at := 0; at < len(visited); at++ {
		for one := range following(visited[at]) {
			if !seen[one.place] {
				seen[one.place] = true
				visited = append(visited, one)
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.solved[s.next%len(s.solved)] = visited
	s.next++
	return len(visited)
}

func main() {
	host.Serve(50, []host.Call{{Path: "/puzzles/%d"}}, func(mux *http.ServeMux) {
		debug.SetGCPercent(20)
		s := &solver{}
		mux.HandleFunc("GET /puzzles/{start}", func(w http.ResponseWriter, r *http.Request) {
			start, _ := strconv.Atoi(r.PathValue("start"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(s.solve(start%1009)), 10))
		})
	})
}
