// Command ambulances finds which ambulance reaches an address first.
package main

import (
	"container/heap"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

// stop is a place that can be reached after a time.
type stop struct{ seconds, crossing int }

type frontier []stop

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].seconds < f[j].seconds }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(next any)     { *f = append(*f, next.(stop)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	next := (*f)[last]
	*f = (*f)[:last]
	return next
}

const side = 48

type city struct{ delays []int }

// seconds of the quickest way over the crossings of a grid.
func (c *city) seconds(from, to int) int {
	var reached [side * side]bool
	next := make(frontier, 0, side*side)
	heap.Push(&next, stop{0, from})
	for next.Len() > 0 {
		at := heap.Pop(&next).(stop)
		if at.crossing == to {
			return at.seconds
		}
		if reached[at.crossing] {
			continue
		}
		reached[at.crossing] = true
		for _, step := range [...]int{-side, -1, 1, side} {
			if to := at.crossing + step; to >= 0 && to < side*side && !reached[to] {
				heap.Push(&next, stop{at.seconds + c.delays[to], to})
			}
		}
	}
	return -1
}

func main() {
	c := &city{sample.Numbers(151, side*side, 90)}
	host.Serve(50, []host.Call{{Path: "/emergencies/%d", Range: side * side}}, func(mux *http.ServeMux) {
		mux.Handle("GET /emergencies/{crossing}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, c.seconds(side*side/2, web.Number(r, "crossing")))
		}))
	})
}
