// Command visits counts visits in parts with a lock each.
package main

import (
	"hash/maphash"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type shard struct {
	mu     sync.Mutex
	visits map[string]int
}

type counter struct {
	seed   maphash.Seed
	shards [32]shard
}

func newCounter() *counter {
	c := &counter{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].visits = make(map[string]int, 512)
	}
	return c
}

func (c *counter) visit(page string) int {
	one := &c.shards[maphash.String(c.seed, page)%uint64(len(c.shards))]
	one.mu.Lock()
	defer one.mu.Unlock()
	one.visits[page]++
	return one.visits[page]
}

// forget starts again every few seconds.
func (c *counter) forget(every time.Duration, stop <-chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			for i := range c.shards {
				c.shards[i].mu.Lock()
				clear(c.shards[i].visits)
				c.shards[i].mu.Unlock()
			}
		case <-stop:
			return
		}
	}
}

func main() {
	host.Serve(40, []host.Call{{Method: http.MethodPost, Path: "/visits/%d"}}, func(mux *http.ServeMux) {
		c := newCounter()
		go c.forget(3*time.Second, make(chan struct{}))
		mux.HandleFunc("POST /visits/{page}", func(w http.ResponseWriter, r *http.Request) {
			page, count := r.PathValue("page"), 0
			var name [24]byte
			for part := range 40 {
				count += c.visit(string(strconv.AppendInt(append(name[:0], page...), int64(part), 10)))
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
		})
	})
}
