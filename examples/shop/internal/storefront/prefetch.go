package storefront

import (
	"context"
	"log"
	"time"

	"shop/internal/journal"
)

const (
	prefetchWorkers = 32
	prefetchAtOnce  = 8
	prefetchEvery   = 500 * time.Millisecond
)

// Prefetch asks the upstream for each category again and again, on workers that
// otherwise wait on their channel.
func (f *Front) Prefetch(categories []string) {
	due := make(chan string)
	written := &journal.Journal{}
	for range prefetchWorkers {
		go f.prefetch(due, written)
	}
	go func() {
		for at := 0; ; at += prefetchAtOnce {
			for i := range prefetchAtOnce {
				due <- categories[(at+i)%len(categories)]
			}
			time.Sleep(prefetchEvery)
		}
	}()
}

func (f *Front) prefetch(due <-chan string, written *journal.Journal) {
	for category := range due {
		if _, err := f.products(context.Background(), category); err != nil {
			log.Printf("prefetch: %v", err)
		}
		written.Write(category)
	}
}
