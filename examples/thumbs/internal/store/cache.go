// Package store keeps finished thumbnails in memory and writes a journal of them.
package store

import (
	"sync"
	"time"
)

// Cache holds the newest thumbnails; the oldest makes room for the next one.
type Cache struct {
	mu      sync.Mutex
	entries map[uint32][]byte
	order   []uint32
	limit   int
	// Journal is how long the journal takes to be written, under the lock.
	Journal time.Duration
	// Previews keeps a larger picture with each thumbnail.
	Previews bool
	previews map[uint32][]byte
}

// NewCache makes an empty cache for this many thumbnails.
func NewCache(limit int) *Cache {
	return &Cache{entries: map[uint32][]byte{}, previews: map[uint32][]byte{}, limit: limit}
}

// Get returns the thumbnail, if it is there.
func (c *Cache) Get(number uint32) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	thumbnail, ok := c.entries[number]
	return thumbnail, ok
}

// Put keeps a thumbnail.
func (c *Cache) Put(number uint32, thumbnail []byte) {
	c.mu.Lock()
	if len(c.order) == c.limit {
		c.drop()
	}
	c.entries[number] = thumbnail
	c.order = append(c.order, number)
	if c.Previews {
		c.keepPreview(number, thumbnail)
	}
	time.Sleep(c.Journal)
	c.mu.Unlock()
}

func (c *Cache) drop() {
	delete(c.entries, c.order[0])
	delete(c.previews, c.order[0])
	c.order = append(c.order[:0], c.order[1:]...)
}

//go:noinline
func (c *Cache) keepPreview(number uint32, thumbnail []byte) {
	preview := make([]byte, len(thumbnail))
	copy(preview, thumbnail)
	c.previews[number] = preview
}
