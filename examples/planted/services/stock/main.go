// Command stock counts what is left of each article.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type ledger struct {
	mu      sync.Mutex
	left    map[int]int
	history []int
}

// reserve takes one and finds the articles that must be ordered again.
func (l *ledger) reserve(article int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left[article]--
	l.history[article%len(l.history)]++
	low := 0
	for _, count := range l.history {
		if count%7 == 3 {
			low++
		}
	}
	if l.left[article] < 0 {
		l.left[article] = 500
	}
	return low
}

func (l *ledger) serve(w http.ResponseWriter, r *http.Request) {
	article, _ := strconv.Atoi(r.PathValue("article"))
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() { l.reserve(article + i) })
	}
	group.Wait()
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/reserve/%d"}}, func(mux *http.ServeMux) {
		l := &ledger{left: map[int]int{}, history: make([]int, 120_000)}
		mux.HandleFunc("POST /reserve/{article}", l.serve)
	})
}
