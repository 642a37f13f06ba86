// Command feeds keeps the most recent articles at hand, and tells readers about new ones.
package main

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

// recent keeps a bounded number of values.
type recent[K comparable, V any] struct {
	mu     sync.Mutex
	byKey  map[K]*list.Element
	order  *list.List
	limit  int
	weight func(V) int
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any](limit int, weight func(V) int) *recent[K, V] {
	return &recent[K, V]{byKey: map[K]*list.Element{}, order: list.New(), limit: limit, weight: weight}
}

// use returns a value, and the weight of all of them.
func (r *recent[K, V]) use(key K, make func() V) (V, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	element, ok := r.byKey[key]
	if !ok {
		element = r.order.PushFront(&entry[K, V]{key, make()})
		r.byKey[key] = element
	}
	r.order.MoveToFront(element)
	if r.order.Len() > r.limit {
		delete(r.byKey, r.order.Remove(r.order.Back()).(*entry[K, V]).key)
	}
	all := 0
	for one := r.order.Front(); one != nil; one = one.Next() {
		all += r.weight(one.Value.(*entry[K, V]).value)
	}
	return element.Value.(*entry[K, V]).value, all
}

type bell struct {
	news chan int
	sum  int
}

// ring waits until the only reader is ready.
func (b *bell) ring(article int) {
	select {
	case b.news <- article:
	}
}

func (b *bell) hear() {
	for article := range b.news {
		time.Sleep(5 * time.Millisecond) // the line is slow
		b.sum += article
	}
}

func main() {
	host.Serve(50, []host.Call{{Weight: 2, Path: "/articles/%d"}, {Weight: 1, Method: http.MethodPost, Path: "/news/%d"}}, func(mux *http.ServeMux) {
		articles := newRecent[int](4000, func(text string) int { return len(text) })
		b := &bell{news: make(chan int)}
		go b.hear()
		mux.HandleFunc("GET /articles/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			var group sync.WaitGroup
			for i := range 12 {
				group.Go(func() { articles.use(number+i, func() string { return strconv.Itoa(number) }) })
			}
			group.Wait()
		})
		mux.HandleFunc("POST /news/{number}", func(_ http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			for i := range 4 {
				b.ring(number + i)
			}
		})
	})
}
