// Command auctions tells everybody in the room about bids, and closes lots.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type bid struct{ lot, bidder, cents int }

type listener interface{ hear(event any) }

type highest struct{ byLot [64]int }

func (h *highest) hear(event any) {
	if one, ok := event.(bid); ok && one.cents > h.byLot[one.lot%64] {
		h.byLot[one.lot%64] = one.cents
	}
}

type history struct {
	events [512]any
	next   int
}

func (h *history) hear(event any) {
	h.events[h.next%len(h.events)] = event
	h.next++
}

type room struct{ listeners []listener }

func (r *room) announce(event any) {
	for _, one := range r.listeners {
		one.hear(event)
	}
}

// replay announces the bids of a day again.
func replay(bids []bid) int {
	top := &highest{}
	r := &room{listeners: []listener{top, &history{}}}
	for _, one := range bids {
		r.announce(one)
	}
	return top.byLot[3]
}

type lot struct {
	mu   sync.Mutex
	sold bool
}

type catalogue struct{ lots [2500]lot }

// closeAll locks all lots, so that nobody bids while they are closed.
func (c *catalogue) closeAll() (count int) {
	for i := range c.lots {
		one := &c.lots[i]
		one.mu.Lock()
		defer one.mu.Unlock()
		one.sold = true
		count++
	}
	return count
}

func main() {
	host.Serve(50, []host.Call{{Weight: 3, Path: "/days/%d/replay"}, {Weight: 4, Method: http.MethodPost, Path: "/catalogue/close"}}, func(mux *http.ServeMux) {
		bids := make([]bid, 9000)
		for i := range bids {
			bids[i] = bid{lot: i % 64, bidder: i * 7919 % 400, cents: 100 + i*13%5000}
		}
		mux.HandleFunc("GET /days/{day}/replay", func(w http.ResponseWriter, r *http.Request) {
			day, _ := strconv.Atoi(r.PathValue("day"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(replay(bids[day%100:])), 10))
		})
		mux.HandleFunc("POST /catalogue/close", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(new(catalogue).closeAll()), 10))
		})
	})
}
