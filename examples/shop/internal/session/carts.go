// Package session knows who is shopping and which carts are open.
package session

import (
	"runtime/pprof"
	"sync"

	"shop/internal/pricing"
)

// openCarts is this example's custom profile: one entry for every open cart,
// with the stack that opened it.
var openCarts = pprof.NewProfile("shop/open_carts")

// Cart is a shopping cart; it counts as open until it is closed.
type Cart struct {
	Lines []pricing.Line
}

// Carts keeps the newest carts open and closes the oldest beyond that.
type Carts struct {
	mu   sync.Mutex
	open []*Cart
	max  int
}

// NewCarts makes an empty set that keeps at most max carts open.
func NewCarts(max int) *Carts { return &Carts{max: max} }

// Open opens a cart with these lines.
func (c *Carts) Open(lines []pricing.Line) *Cart {
	cart := &Cart{Lines: lines}
	openCarts.Add(cart, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, cart)
	if len(c.open) > c.max {
		openCarts.Remove(c.open[0])
		c.open = c.open[1:]
	}
	return cart
}

// Close ends a cart early.
func (c *Carts) Close(cart *Cart) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, one := range c.open {
		if one == cart {
			openCarts.Remove(cart)
			c.open = append(c.open[:i], c.open[i+1:]...)
			return
		}
	}
}
