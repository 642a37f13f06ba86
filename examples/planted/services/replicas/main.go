// Command replicas keeps copies of documents as trees, in little memory.
package main

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type cell struct {
	left, right *cell
	weight      *int
}

type store struct {
	mu    sync.Mutex
	trees [64]*cell
}

func plant(depth, weight int) *cell {
	if depth == 0 {
		return &cell{weight: &weight}
	}
	return &cell{left: plant(depth-1, weight*2), right: plant(depth-1, weight*2+1), weight: &weight}
}

func (s *store) replace(number int) int {
	tree := plant(11, number)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trees[number%len(s.trees)] = tree
	return *tree.weight
}

func main() {
	host.Serve(65, []host.Call{{Method: http.MethodPut, Path: "/documents/%d"}}, func(mux *http.ServeMux) {
		debug.SetMemoryLimit(20 << 20)
		s := &store{}
		for number := range s.trees {
			s.replace(number)
		}
		mux.HandleFunc("PUT /documents/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(s.replace(number)), 10))
		})
	})
}
