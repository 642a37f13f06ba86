// Package checkout turns a cart into a paid order.
package checkout

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"shop/internal/inventory"
	"shop/internal/pricing"
)

// ErrEmptyCart says that there is nothing to buy.
var ErrEmptyCart = errors.New("the cart is empty")

// Order is a finished purchase with the history of what happened to it.
type Order struct {
	ID      string            `json:"id"`
	Tenant  string            `json:"tenant"`
	Quote   pricing.Quote     `json:"quote"`
	Payment string            `json:"payment"`
	Events  []Event           `json:"events"`
	Notes   map[string]string `json:"notes"`
	Risk    float64           `json:"risk"`
}

// Event is one step of an order.
type Event struct {
	At   time.Time `json:"at"`
	Step string    `json:"step"`
	Text string    `json:"text"`
}

// Desk places orders.
type Desk struct {
	Book     *pricing.Book
	Ledger   *inventory.Ledger
	Payments *Payments
}

// Place quotes, reserves every line at once, pays, and writes the order up.
func (d *Desk) Place(id, tenant string, lines []pricing.Line) (Order, error) {
	if len(lines) == 0 {
		return Order{}, ErrEmptyCart
	}
	quote := d.Book.Quote(lines)
	if err := d.reserve(lines); err != nil {
		return Order{}, err
	}
	payment, err := d.Payments.Charge(id, quote.Net+quote.Tax)
	if err != nil {
		return Order{}, err
	}
	events := history(id, quote)
	return Order{ID: id, Tenant: tenant, Quote: quote, Payment: payment, Events: events, Notes: notes(quote), Risk: risk(events, quote)}, nil
}

// shelves is how many reservations of one order run side by side.
const shelves = 4

// reserve asks for all shelves at once, which is what makes the ledger's lock
// contended: shelf k waits for k writes.
func (d *Desk) reserve(lines []pricing.Line) error {
	failures := make([]error, shelves)
	var group sync.WaitGroup
	for shelf := range shelves {
		group.Add(1)
		go func() {
			defer group.Done()
			failures[shelf] = d.Ledger.Reserve(onShelf(lines, shelf))
		}()
	}
	group.Wait()
	return errors.Join(failures...)
}

func onShelf(lines []pricing.Line, shelf int) []pricing.Line {
	var wanted []pricing.Line
	for i, line := range lines {
		if i%shelves == shelf {
			wanted = append(wanted, line)
		}
	}
	return wanted
}

// history is made new for every order: part of the allocation churn.
func history(id string, quote pricing.Quote) []Event {
	var events []Event
	for _, line := range quote.Lines {
		for _, step := range []string{"quoted", "reserved", "packed", "labelled", "handed over"} {
			for piece := 0; piece < 80; piece++ {
				events = append(events, Event{
					At:   time.Now().UTC(),
					Step: step,
					Text: fmt.Sprintf("order %s: line %s piece %d of %d %s at %d cents", id, line.SKU, piece+1, line.Quantity, step, line.Unit),
				})
			}
		}
	}
	return events
}

func notes(quote pricing.Quote) map[string]string {
	notes := make(map[string]string)
	for i, line := range quote.Lines {
		notes[fmt.Sprintf("line-%02d", i)] = fmt.Sprintf("%d x %s = %.2f", line.Quantity, line.SKU, float64(line.Total)/100)
	}
	return notes
}
