// Command tilesets answers where things are, from a tree of regions that each change builds again.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/services/internal/host"
)

type region struct {
	west, east  int
	left, right *region
	names       []*string
}

// grow makes the tree of a part of the world.
func grow(west, east, depth int) *region {
	one := &region{west: west, east: east}
	if depth == 0 {
		name := strconv.Itoa(west)
		one.names = []*string{&name}
		return one
	}
	middle := (west + east) / 2
	one.left, one.right = grow(west, middle, depth-1), grow(middle, east, depth-1)
	return one
}

func (r *region) at(x int) string {
	for r.left != nil {
		if x < r.left.east {
			r = r.left
		} else {
			r = r.right
		}
	}
	return *r.names[0]
}

// world keeps the last trees for requests that still read them.
type world struct {
	root  atomic.Pointer[region]
	moves atomic.Int64
	last  [12]atomic.Pointer[region]
}

func (w *world) move(to int) {
	tree := grow(to, to+4096, 11)
	w.last[w.moves.Add(1)%int64(len(w.last))].Store(w.root.Swap(tree))
}

func main() {
	host.Serve(40, []host.Call{{Method: http.MethodPut, Path: "/centre/%d"}, {Path: "/at/%d"}}, func(mux *http.ServeMux) {
		earth := &world{}
		earth.move(0)
		mux.HandleFunc("PUT /centre/{x}", func(_ http.ResponseWriter, r *http.Request) {
			x, _ := strconv.Atoi(r.PathValue("x"))
			earth.move(x)
		})
		mux.HandleFunc("GET /at/{x}", func(w http.ResponseWriter, r *http.Request) {
			x, _ := strconv.Atoi(r.PathValue("x"))
			_, _ = w.Write([]byte(earth.root.Load().at(x)))
		})
	})
}
