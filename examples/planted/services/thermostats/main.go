// Command thermostats sets the temperature of rooms, which a gateway tells the heaters.
package main

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type gateway struct {
	client  *http.Client
	address string
}

func (g *gateway) send(ctx context.Context, room, degrees int) error {
	path := g.address + "/rooms/" + strconv.Itoa(room) + "/" + strconv.Itoa(degrees)
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, path, nil)
	if err != nil {
		return err
	}
	reply, err := g.client.Do(request)
	if err != nil {
		return err
	}
	return reply.Body.Close()
}

type house struct {
	mu      sync.Mutex
	degrees map[int]int
	gateway *gateway
}

// adjust changes a room if it is not that warm already.
func (h *house) adjust(ctx context.Context, room, degrees int) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.degrees[room] != degrees {
		if err = h.gateway.send(ctx, room, degrees); err == nil {
			h.degrees[room] = degrees
		}
	}
	return err
}

func (h *house) warmth(room int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.degrees[room]
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Method: http.MethodPut, Path: "/rooms/%d", Range: 300}, {Weight: 2, Path: "/rooms/%d", Range: 300}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { time.Sleep(8 * time.Millisecond) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			h := &house{degrees: map[int]int{}, gateway: &gateway{&http.Client{Timeout: time.Second}, upstream}}
			mux.HandleFunc("PUT /rooms/{room}", func(w http.ResponseWriter, r *http.Request) {
				room, _ := strconv.Atoi(r.PathValue("room"))
				if err := h.adjust(r.Context(), room%15, room%9+16); err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
				}
			})
			mux.HandleFunc("GET /rooms/{room}", func(w http.ResponseWriter, r *http.Request) {
				room, _ := strconv.Atoi(r.PathValue("room"))
				_, _ = w.Write(strconv.AppendInt(nil, int64(h.warmth(room%15)), 10))
			})
		},
	})
}
