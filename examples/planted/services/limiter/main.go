// Command limiter decides which requests may pass.
package main

import (
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"example.com/services/internal/host"
)

// gate is a lock without a queue.
type gate struct{ taken atomic.Bool }

// enter tries for a while before it lets others run.
func (g *gate) enter() {
	for {
		for range 3000 {
			if g.taken.CompareAndSwap(false, true) {
				return
			}
		}
		runtime.Gosched()
	}
}

func (g *gate) leave() { g.taken.Store(false) }

type bucket struct {
	gate   gate
	tokens [4096]int
}

func (b *bucket) take(client int) int {
	b.gate.enter()
	defer b.gate.leave()
	sum := 0
	for i := range b.tokens {
		b.tokens[i] += (client + i) & 1
		sum += b.tokens[i]
	}
	return sum
}

func main() {
	host.Serve(60, []host.Call{{Path: "/pass/%d"}}, func(mux *http.ServeMux) {
		b := &bucket{}
		mux.HandleFunc("GET /pass/{client}", func(w http.ResponseWriter, r *http.Request) {
			client, _ := strconv.Atoi(r.PathValue("client"))
			var group sync.WaitGroup
			for part := range 16 {
				group.Go(func() {
					for range 12 {
						b.take(client + part)
					}
				})
			}
			group.Wait()
			_, _ = w.Write(strconv.AppendInt(nil, int64(b.tokens[0]), 10))
		})
	})
}
