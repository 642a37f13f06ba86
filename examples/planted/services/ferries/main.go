// Command ferries tells passengers about the delays of their ferry.
package main

import (
	"context"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type delay struct{ ferry, minutes int }

type harbour struct {
	mu     sync.Mutex
	boards map[int]chan delay
}

func (h *harbour) board(ferry int) chan delay {
	h.mu.Lock()
	defer h.mu.Unlock()
	one, ok := h.boards[ferry]
	if !ok {
		one = make(chan delay)
		h.boards[ferry] = one
	}
	return one
}

type passenger struct{ waited int }

// await waits for news of a ferry.
func (p *passenger) await(ctx context.Context, board <-chan delay) {
	for {
		select {
		case news := <-board:
			p.waited += news.minutes
		case <-ctx.Done():
			return
		}
	}
}

// checkIn returns at once; the passenger hears of delays until the ferry leaves.
func (h *harbour) checkIn(ferry int) {
	ctx := context.WithoutCancel(context.TODO())
	go new(passenger).await(ctx, h.board(ferry))
}

func main() {
	host.Serve(85, []host.Call{{Method: http.MethodPost, Path: "/ferries/%d/passengers", Range: 30}}, func(mux *http.ServeMux) {
		h := &harbour{boards: map[int]chan delay{}}
		mux.HandleFunc("POST /ferries/{ferry}/passengers", func(w http.ResponseWriter, r *http.Request) {
			ferry, _ := strconv.Atoi(r.PathValue("ferry"))
			h.checkIn(ferry)
			w.WriteHeader(http.StatusCreated)
		})
	})
}
