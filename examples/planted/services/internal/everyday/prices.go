package everyday

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

type price struct {
	sku   int
	cents int
}

// priceList answers with the cheapest first; its buffers are used again.
type priceList struct {
	items   []price
	buffers sync.Pool
}

type priceBuffers struct {
	sorted []price
	body   []byte
}

func newPriceList() *priceList {
	random := rand.New(rand.NewPCG(3, 4))
	list := &priceList{items: make([]price, 1500)}
	for i := range list.items {
		list.items[i] = price{sku: 10_000 + i, cents: 99 + random.IntN(50_000)}
	}
	list.buffers.New = func() any { return &priceBuffers{sorted: make([]price, 0, len(list.items))} }
	return list
}

func (l *priceList) serve(w http.ResponseWriter, _ *http.Request) {
	buffers := l.buffers.Get().(*priceBuffers)
	defer l.buffers.Put(buffers)
	buffers.sorted = append(buffers.sorted[:0], l.items...)
	slices.SortFunc(buffers.sorted, func(a, b price) int { return a.cents - b.cents })
	buffers.body = appendPrices(buffers.body[:0], buffers.sorted)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(buffers.body)
}

func appendPrices(to []byte, items []price) []byte {
	to = append(to, '[')
	for i, item := range items {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, `{"sku":`...)
		to = strconv.AppendInt(to, int64(item.sku), 10)
		to = append(to, `,"cents":`...)
		to = strconv.AppendInt(to, int64(item.cents), 10)
		to = append(to, '}')
	}
	return append(to, ']')
}
