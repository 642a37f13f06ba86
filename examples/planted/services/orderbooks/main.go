// Command orderbooks finds offers that match an order.
package main

import (
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type offer struct{ seller, cents, amount int }

type book struct{ offers []offer }

// bySeller sums what each seller has.
func (b *book) bySeller(limit int) map[int]int {
	amounts := make(map[int]int)
	for _, one := range b.offers {
		if one.cents <= limit {
			amounts[one.seller] += one.amount
		}
	}
	return amounts
}

// match asks two markets and takes the faster answer.
func (b *book) match(limit int) int {
	answers := make(chan int)
	for market := range 2 {
		go b.ask(market, limit, answers)
	}
	select {
	case best := <-answers:
		return best
	case <-time.After(50 * time.Millisecond):
		return 0
	}
}

func (b *book) ask(market, limit int, answers chan<- int) {
	best := 0
	for _, amount := range b.bySeller(limit) {
		best = max(best, amount+market)
	}
	answers <- best
}

func main() {
	host.Serve(75, []host.Call{{Path: "/orders/%d"}}, func(mux *http.ServeMux) {
		b := &book{}
		for i := range 1500 {
			b.offers = append(b.offers, offer{i * 7919 % 1200, i * 31 % 5000, i % 40})
		}
		mux.HandleFunc("GET /orders/{limit}", func(w http.ResponseWriter, r *http.Request) {
			limit, _ := strconv.Atoi(r.PathValue("limit"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(b.match(limit)), 10))
		})
	})
}
