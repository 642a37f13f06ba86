// Command pharmacies asks wholesalers what they have in stock.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type wholesaler struct {
	mu     sync.Mutex
	stock  map[int]int
	base   string
	client *http.Client
}

// left refreshes what is known about a medicine if it is not known.
func (s *wholesaler) left(ctx context.Context, medicine int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if packs, ok := s.stock[medicine]; ok {
		return packs, nil
	}
	packs, err := s.inquire(ctx, medicine)
	if err != nil {
		return 0, err
	}
	if len(s.stock) > 40 {
		clear(s.stock)
	}
	s.stock[medicine] = packs
	return packs, nil
}

func (s *wholesaler) inquire(ctx context.Context, medicine int) (packs int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprint(s.base, "/stock/", medicine), nil)
	if err != nil {
		return 0, err
	}
	reply, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	_, err = fmt.Fscan(reply.Body, &packs)
	return packs, err
}

func main() {
	host.Run(host.Service{
		Everyday: 65,
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(2 * time.Millisecond)
			_, _ = io.WriteString(w, "12\n")
		}),
		Calls: []host.Call{{Path: "/medicines/%d", Range: 400}},
		Routes: func(mux *http.ServeMux, upstream string) {
			s := &wholesaler{stock: map[int]int{}, base: upstream, client: &http.Client{Timeout: time.Second}}
			mux.Handle("GET /medicines/{medicine}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				packs, err := s.left(r.Context(), web.Number(r, "medicine"))
				if err != nil {
					return err
				}
				return web.Count(w, packs)
			}))
		},
	})
}
