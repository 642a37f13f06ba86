// Command counters counts clicks by page.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type counter struct {
	mu     sync.Mutex
	clicks [512]int
}

func (c *counter) click(page int) {
	c.mu.Lock()
	c.clicks[page%len(c.clicks)]++
	c.mu.Unlock()
}

type batch struct {
	counter *counter
	pages   []int
}

// replay counts the clicks of a batch from several goroutines.
func (b *batch) replay() {
	var group sync.WaitGroup
	for part := range 4 {
		group.Go(func() {
			for _, page := range b.pages[part*len(b.pages)/4 : (part+1)*len(b.pages)/4] {
				b.counter.click(page)
			}
		})
	}
	group.Wait()
}

func (b *batch) serve(w http.ResponseWriter, _ *http.Request) {
	b.replay()
	_, _ = w.Write(strconv.AppendInt(nil, int64(b.counter.clicks[0]), 10))
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/batches"}}, func(mux *http.ServeMux) {
		b := &batch{counter: &counter{}, pages: sample.Numbers(20, 40_000, 512)}
		mux.HandleFunc("POST /batches", b.serve)
	})
}
