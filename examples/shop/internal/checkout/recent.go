package checkout

import "sync"

// Recent keeps the first orders of the day; once it is full it stays as it is.
type Recent struct {
	mu     sync.RWMutex
	orders map[string]Order
	max    int
}

// NewRecent keeps at most max orders.
func NewRecent(max int) *Recent { return &Recent{orders: make(map[string]Order), max: max} }

// Keep stores an order while there is room.
func (r *Recent) Keep(order Order) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.orders) < r.max {
		r.orders[order.ID] = order
	}
}

// Find returns the order with this id.
func (r *Recent) Find(id string) (Order, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	order, ok := r.orders[id]
	return order, ok
}
