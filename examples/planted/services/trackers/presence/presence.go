// Package presence says who was here lately.
package presence

import (
	"sync"
	"time"
)

// Room has the people who are in it.
type Room struct {
	mu   sync.Mutex
	seen map[int]time.Time
}

// NewRoom is empty.
func NewRoom() *Room { return &Room{seen: map[int]time.Time{}} }

// Enter shows a person until nobody hears from them for a while.
func (r *Room) Enter(person int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[person] = time.Now()
	go r.forget(person)
	return len(r.seen)
}

func (r *Room) forget(person int) {
	checks := time.NewTicker(700 * time.Millisecond)
	for range checks.C {
		r.mu.Lock()
		if time.Since(r.seen[person]) > time.Minute {
			delete(r.seen, person)
		}
		r.mu.Unlock()
	}
}
