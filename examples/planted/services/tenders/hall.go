package main

import (
	"log/slog"
	"sync"
)

type offer struct{ bidder, cents int }

// hall has the bids of all tenders.
type hall struct {
	log *slog.Logger
	mu  sync.Mutex
	// offers are by tender, the latest last.
	offers map[int][]offer
	scores []int
}

func newHall(log *slog.Logger) *hall {
	return &hall{log: log, offers: map[int][]offer{}, scores: make([]int, 40_000)}
}

// bid notes an offer of each of the firms that take part.
func (h *hall) bid(tender int) {
	var group sync.WaitGroup
	for bidder := range 6 {
		group.Go(func() { h.place(tender, offer{bidder, 90_000 + tender*bidder%811}) })
	}
	group.Wait()
	for bidder := range 6 {
		h.explain(tender, bidder)
	}
}

func (h *hall) place(tender int, one offer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := append(h.offers[tender], one)
	if len(kept) > 24 {
		kept = append(kept[:0], kept[12:]...)
	}
	h.offers[tender] = kept
	for i := range h.scores {
		h.scores[i] += (one.cents ^ i) & 1
	}
}

func (h *hall) explain(tender, bidder int) {
	for rule, name := range [...]string{"deadline", "bond", "references", "currency", "consortium", "licence"} {
		h.log.With("tender", tender).Debug("rule checked", "rule", name, "weight", rule*3, "passed", rule != 4, slog.Group("bid", "firm", bidder))
	}
}

func (h *hall) leader(tender int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	best := offer{cents: 1 << 40}
	for _, one := range h.offers[tender] {
		if one.cents < best.cents {
			best = one
		}
	}
	return best.bidder
}
