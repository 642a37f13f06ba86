// Package inventory reserves stock in one ledger behind one lock.
package inventory

import (
	"errors"
	"sync"
	"time"

	"shop/internal/pricing"
)

// ErrSoldOut says that fewer pieces are left than wanted.
var ErrSoldOut = errors.New("sold out")

const (
	writeTime          = 400 * time.Microsecond
	writeTimeRegressed = 2 * time.Millisecond
)

// Ledger is the contended lock of this example: every reservation waits for the
// write of the one before it.
type Ledger struct {
	mu        sync.Mutex
	reserved  map[string]int
	writeTime time.Duration
}

// NewLedger makes an empty ledger; regressed makes it hold its lock longer.
func NewLedger(regressed bool) *Ledger {
	l := &Ledger{reserved: make(map[string]int), writeTime: writeTime}
	if regressed {
		l.writeTime = writeTimeRegressed
	}
	return l
}

// Reserve takes these lines out of stock in one write.
func (l *Ledger) Reserve(lines []pricing.Line) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range lines {
		if line.Quantity > 90 {
			return ErrSoldOut
		}
	}
	l.write(lines)
	return nil
}

// write stands for a synchronous write to a database made under the lock.
func (l *Ledger) write(lines []pricing.Line) {
	for _, line := range lines {
		l.reserved[line.SKU] = (l.reserved[line.SKU] + line.Quantity) % 100_000
	}
	time.Sleep(l.writeTime)
}
