// Command fountains simulates basins whose water flows from one to the next.
package main

import (
	"net/http"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

const cells = 4096

// basin is reused: simulations need two rows of cells and nothing else.
type basin struct{ now, next [cells]float32 }

var basins = sync.Pool{New: func() any { return new(basin) }}

func (b *basin) flow() {
	for i := 1; i < cells-1; i++ {
		b.next[i] = b.now[i] + 0.2*(b.now[i-1]-2*b.now[i]+b.now[i+1])
	}
	b.now, b.next = b.next, b.now
}

func level(pump, steps int) float32 {
	b := basins.Get().(*basin)
	defer basins.Put(b)
	*b = basin{}
	b.now[cells/2] = float32(pump)
	for range steps {
		b.flow()
	}
	return b.now[cells/2+8]
}

func main() {
	host.Serve(45, []host.Call{{Path: "/pumps/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /pumps/{pump}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, int(level(web.Number(r, "pump"), 90)))
		}))
	})
}
