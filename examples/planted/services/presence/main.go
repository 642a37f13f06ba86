// Command presence knows who is online, and tells the one who counts.
package main

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

// table counts by key.
type table[K ~int] struct {
	sync.Mutex
	counts map[K]int
}

type user int

// seen counts a key, and returns the keys in order.
func (t *table[K]) seen(key K) []K {
	t.Lock()
	defer t.Unlock()
	t.counts[key]++
	return slices.Sorted(maps.Keys(t.counts))
}

type news struct {
	events chan user
	done   chan struct{}
}

// tell waits for the one who counts.
func (n *news) tell(one user) bool {
	select {
	case n.events <- one:
		return true
	case <-n.done:
		return false
	}
}

func (n *news) count() {
	total := 0
	for range n.events {
		time.Sleep(6 * time.Millisecond)
		total++
	}
}

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/users/%d/seen"}, {Weight: 1, Method: http.MethodPost, Path: "/users/%d/left"}}, func(mux *http.ServeMux) {
		t := &table[user]{counts: map[user]int{}}
		for i := range user(900) {
			t.counts[i] = 1
		}
		n := &news{events: make(chan user), done: make(chan struct{})}
		go n.count()
		mux.HandleFunc("POST /users/{number}/seen", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			var group sync.WaitGroup
			for device := range 5 {
				group.Go(func() { t.seen(user((number + device) % 900)) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
		mux.HandleFunc("POST /users/{number}/left", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			for range 3 {
				n.tell(user(number))
			}
			w.WriteHeader(http.StatusNoContent)
		})
	})
}
