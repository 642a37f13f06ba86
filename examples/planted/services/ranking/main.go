// Command ranking orders offers by several criteria.
package main

import (
	"net/http"
	"sort"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type offer struct {
	Seller string
	Cents  int
	Days   int
	Stars  float64
	Tags   [4]string
}

type board struct{ offers []offer }

func newBoard() *board {
	names, cents := sample.Words(21, 2500), sample.Numbers(22, 2500, 40_000)
	b := &board{offers: make([]offer, len(names))}
	for i := range b.offers {
		b.offers[i] = offer{Seller: names[i], Cents: cents[i], Days: cents[i] % 9, Stars: float64(cents[i]%50) / 10}
	}
	return b
}

func (b *board) best(limit int) []offer {
	ranked := make([]offer, len(b.offers))
	copy(ranked, b.offers)
	sort.Slice(ranked, func(i, j int) bool {
		if ranked[i].Cents != ranked[j].Cents {
			return ranked[i].Cents < ranked[j].Cents
		}
		return ranked[i].Stars > ranked[j].Stars
	})
	return ranked[:limit]
}

func (b *board) serve(w http.ResponseWriter, _ *http.Request) {
	var text []byte
	for _, one := range b.best(20) {
		text = append(text, one.Seller...)
		text = strconv.AppendInt(append(text, ' '), int64(one.Cents), 10)
	}
	_, _ = w.Write(text)
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Path: "/best"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.HandleFunc("GET /best", newBoard().serve) },
	})
}
