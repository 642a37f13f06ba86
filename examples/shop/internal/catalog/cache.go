package catalog

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Cache keeps rendered product pages. It is a ring: page n replaces page n-size,
// so the memory it holds is the same once it has been filled.
type Cache struct {
	mu        sync.RWMutex
	pages     []page
	next      int
	regressed bool
}

type page struct {
	id     int
	body   []byte
	source []byte
}

const (
	cachePages = 1200
	pageBytes  = 40 << 10
)

// NewCache makes a full cache over the first products. With regressed set every
// entry also keeps the document it was rendered from: the deliberate memory
// regression of this example.
func NewCache(c *Catalog, regressed bool) *Cache {
	cache := &Cache{pages: make([]page, cachePages), regressed: regressed}
	for id := range cachePages {
		p, _ := c.Find(id)
		cache.Put(p)
	}
	return cache
}

// Get returns the rendered page of a product.
func (c *Cache) Get(id int) ([]byte, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, one := range c.pages {
		if one.body != nil && one.id == id {
			return one.body, true
		}
	}
	return nil, false
}

// Put renders a product's page and keeps it.
func (c *Cache) Put(p Product) []byte {
	one := page{id: p.ID, body: render(p)}
	if c.regressed {
		one.source = retain(one.body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[c.next] = one
	c.next = (c.next + 1) % len(c.pages)
	return one.body
}

func render(p Product) []byte {
	out := bytes.NewBuffer(make([]byte, 0, pageBytes))
	document, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	for out.Len()+len(document) <= pageBytes {
		out.Write(document)
	}
	return out.Bytes()
}

func retain(body []byte) []byte {
	kept := make([]byte, len(body)*12/25)
	copy(kept, body)
	return kept
}
