// Command mills grinds orders for flour with a fixed number of stones.
package main

import (
	"context"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type mill struct {
	stones chan struct{}
	grain  []int
}

// grind does the work of one stone; others wait for it no longer than their requests do.
func (m *mill) grind(ctx context.Context, order int) (fine int, err error) {
	select {
	case m.stones <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { <-m.stones }()
	for round := range 40 {
		for _, size := range m.grain {
			for size > order%7+2 {
				size = (size + round&1) / 2
				fine++
			}
		}
	}
	return fine, nil
}

func main() {
	m := &mill{make(chan struct{}, 2), sample.Numbers(421, 900, 4000)}
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/orders/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("POST /orders/{order}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			fine, err := m.grind(r.Context(), web.Number(r, "order"))
			if err != nil {
				return err
			}
			return web.Count(w, fine)
		}))
	})
}
