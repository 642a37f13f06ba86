// Command routes finds short ways through a map of streets.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type place struct{ x, y int }

type streets struct {
	cost map[place]int
	size int
}

func newStreets(size int) *streets {
	s := &streets{cost: make(map[place]int, size*size), size: size}
	for x := range size {
		for y := range size {
			s.cost[place{x, y}] = 1 + (x*31+y*17)%9
		}
	}
	return s
}

// cheapest goes right and down only.
func (s *streets) cheapest(fromX int) int {
	best := make([]int, s.size)
	for y := range s.size {
		for x := fromX; x < s.size; x++ {
			here := s.cost[place{x, y}]
			if right := s.cost[place{x - 1, y}]; right > 0 && x > fromX && best[x-1]+here < best[x]+here {
				best[x] = best[x-1] + here
			} else {
				best[x] += here
			}
		}
	}
	return best[s.size-1]
}

func (s *streets) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	_, _ = w.Write(strconv.AppendInt(nil, int64(s.cheapest(from%20)), 10))
}

func main() {
	host.Serve(90, []host.Call{{Path: "/route/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /route/{from}", newStreets(150).serve)
	})
}
