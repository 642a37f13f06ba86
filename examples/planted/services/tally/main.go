// Command tally sums up the sales of a day by article and by shop.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type sale struct{ article, shop, cents int }

type day struct {
	name string
	cents,
	visitors,
	returns int
}

type book struct{ sales []sale }

func newBook() *book {
	numbers := sample.Numbers(14, 24_000, 9000)
	b := &book{sales: make([]sale, len(numbers)/3)}
	for i := range b.sales {
		b.sales[i] = sale{numbers[3*i], numbers[3*i+1] % 200, numbers[3*i+2]}
	}
	return b
}

func (b *book) byArticle() map[int]int {
	sums := make(map[int]int)
	for _, one := range b.sales {
		sums[one.article] += one.cents
	}
	return sums
}

// week lists every sale of seven days.
func (b *book) week() []day {
	var days []day
	for range 7 {
		for _, one := range b.sales[:len(b.sales)/2] {
			days = append(days, day{name: "sale", cents: one.cents, visitors: one.shop})
		}
	}
	return days
}

func (b *book) articles(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write(strconv.AppendInt(nil, int64(len(b.byArticle())), 10))
}

func (b *book) days(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write(strconv.AppendInt(nil, int64(len(b.week())), 10))
}

func main() {
	host.Serve(50, []host.Call{{Weight: 8, Path: "/articles"}, {Weight: 1, Path: "/days"}}, func(mux *http.ServeMux) {
		b := newBook()
		mux.HandleFunc("GET /articles", b.articles)
		mux.HandleFunc("GET /days", b.days)
	})
}
