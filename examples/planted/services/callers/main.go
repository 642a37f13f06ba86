// Command callers asks several services, a few at a time and with a limit on the time.
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

type caller struct {
	client  *http.Client
	address string
	permits chan struct{}
}

func (c *caller) ask(ctx context.Context, number int) (int64, error) {
	select {
	case c.permits <- struct{}{}:
		defer func() { <-c.permits }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+"/part/"+strconv.Itoa(number), nil)
	if err != nil {
		return 0, err
	}
	reply, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	return io.Copy(io.Discard, reply.Body)
}

func (c *caller) all(ctx context.Context) int64 {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var group sync.WaitGroup
	var sizes [3]int64
	for part := range sizes {
		group.Go(func() { sizes[part], _ = c.ask(ctx, part) })
	}
	group.Wait()
	return sizes[0] + sizes[1] + sizes[2]
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Path: "/all"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(8 * time.Millisecond)
			_, _ = w.Write(make([]byte, 3000))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			transport := &http.Transport{MaxIdleConnsPerHost: 32, MaxConnsPerHost: 32}
			c := &caller{client: &http.Client{Transport: transport, Timeout: 2 * time.Second}, address: upstream, permits: make(chan struct{}, 32)}
			mux.HandleFunc("GET /all", func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write(strconv.AppendInt(nil, c.all(r.Context()), 10))
			})
		},
	})
}
