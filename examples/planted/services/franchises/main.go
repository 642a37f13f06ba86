// Command franchises knows what shops may sell, and asks the headquarters for what it does not know.
package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type grants struct {
	sync.Mutex
	client  *http.Client
	address string
	byShop  map[int]grant
}

type grant struct {
	text  string
	until time.Time
}

func (g *grants) fetch(ctx context.Context, shop int) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.address+"/shops/"+strconv.Itoa(shop), nil)
	if err != nil {
		return "", err
	}
	reply, err := g.client.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<10))
	return string(text), err
}

// of returns the grant of a shop, and renews it when it is old.
func (g *grants) of(ctx context.Context, shop int) (string, error) {
	g.Lock()
	defer g.Unlock()
	if one, ok := g.byShop[shop]; ok && time.Now().Before(one.until) {
		return one.text, nil
	}
	text, err := g.fetch(ctx, shop)
	if err == nil {
		g.byShop[shop] = grant{text, time.Now().Add(50 * time.Millisecond)}
	}
	return text, err
}

// prices are read by every request, and change at night.
type prices struct {
	mu    sync.RWMutex
	cents []int
}

func (p *prices) basket(from, count int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := 0
	for turn := range 40 {
		for i := range count {
			sum += p.cents[(from+turn+i)%len(p.cents)]
		}
	}
	return sum
}

func main() {
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Weight: 1, Path: "/grants/%d", Range: 40}, {Weight: 2, Path: "/baskets/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(7 * time.Millisecond)
			_, _ = io.WriteString(w, "coffee, tea, cake")
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			g := &grants{client: &http.Client{Timeout: 2 * time.Second}, address: upstream, byShop: map[int]grant{}}
			p := &prices{cents: make([]int, 20_000)}
			mux.HandleFunc("GET /grants/{shop}", func(w http.ResponseWriter, r *http.Request) {
				shop, _ := strconv.Atoi(r.PathValue("shop"))
				text, err := g.of(r.Context(), shop)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = io.WriteString(w, text)
			})
			mux.HandleFunc("GET /baskets/{number}", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				var group sync.WaitGroup
				for part := range 6 {
					group.Go(func() { p.basket(number*part, 1500) })
				}
				group.Wait()
				w.WriteHeader(http.StatusNoContent)
			})
		},
	})
}
