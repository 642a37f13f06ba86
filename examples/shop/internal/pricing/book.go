// Package pricing turns cart lines into a sealed quote.
package pricing

import (
	"fmt"
	"sort"
)

// Line is one product and how many of it are wanted.
type Line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// Quote is what the cart costs, in cents, with a seal over every line so that a
// client cannot change it between quote and order.
type Quote struct {
	Lines    []PricedLine `json:"lines"`
	Net      int64        `json:"net_cents"`
	Tax      int64        `json:"tax_cents"`
	Discount int64        `json:"discount_cents"`
	Seal     string       `json:"seal"`
}

// PricedLine is a line with its price.
type PricedLine struct {
	Line
	Unit  int64 `json:"unit_cents"`
	Total int64 `json:"total_cents"`
}

// Book knows prices and discounts.
type Book struct {
	sealRounds int
	tiers      []tier
}

type tier struct {
	from     int
	permille int64
}

const (
	sealRounds          = 16_000
	sealRoundsRegressed = 52_000
)

// NewBook makes a price book. With regressed set the seal is computed over far
// more rounds than needed: the deliberate CPU regression of this example.
func NewBook(regressed bool) *Book {
	rounds := sealRounds
	if regressed {
		rounds = sealRoundsRegressed
	}
	return &Book{sealRounds: rounds, tiers: []tier{{1, 0}, {5, 20}, {10, 50}, {25, 80}}}
}

// Quote prices every line and seals the result.
func (b *Book) Quote(lines []Line) Quote {
	q := Quote{Lines: make([]PricedLine, 0, len(lines))}
	for _, line := range lines {
		unit := b.unitPrice(line.SKU)
		total := unit * int64(line.Quantity)
		off := b.discount(line.Quantity, total)
		q.Lines = append(q.Lines, PricedLine{Line: line, Unit: unit, Total: total - off})
		q.Net += total - off
		q.Discount += off
	}
	sort.Slice(q.Lines, func(i, j int) bool { return q.Lines[i].SKU < q.Lines[j].SKU })
	q.Tax = q.Net * 19 / 100
	q.Seal = fmt.Sprintf("%016x", b.seal(q.Lines))
	return q
}

func (b *Book) unitPrice(sku string) int64 {
	return 199 + int64(hashText(14695981039346656037, sku)%9800)
}

func (b *Book) discount(quantity int, total int64) int64 {
	i := sort.Search(len(b.tiers), func(i int) bool { return b.tiers[i].from > quantity })
	if i == 0 {
		return 0
	}
	return total * b.tiers[i-1].permille / 1000
}
