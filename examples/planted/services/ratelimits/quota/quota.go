// Package quota limits what clients may do.
package quota

import (
	"sync"
	"time"
)

type window struct {
	calls []time.Time
}

// Registry has the calls of all clients.
type Registry struct {
	sync.Mutex
	limit   int
	clients map[int]*window
}

// New allows so many calls per second.
func New(limit int) *Registry { return &Registry{limit: limit, clients: map[int]*window{}} }

// Take says whether a client may call now.
func (r *Registry) Take(client int, now time.Time) bool {
	r.Lock()
	defer r.Unlock()
	r.expire(now.Add(-time.Second))
	one := r.clients[client]
	if one == nil {
		one = &window{}
		r.clients[client] = one
	}
	one.calls = append(one.calls, now)
	return len(one.calls) <= r.limit
}

// expire forgets what is older than the window.
func (r *Registry) expire(before time.Time) {
	for _, one := range r.clients {
		kept := one.calls[:0]
		for _, at := range one.calls {
			if at.After(before) {
				kept = append(kept, at)
			}
		}
		one.calls = kept
	}
}
