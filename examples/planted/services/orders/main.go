// Command orders lists a customer's orders.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type line struct {
	SKU      string            `json:"sku"`
	Name     string            `json:"name"`
	Quantity int               `json:"quantity"`
	Cents    int               `json:"cents"`
	Options  map[string]string `json:"options,omitempty"`
}

type order struct {
	ID       int       `json:"id"`
	Customer string    `json:"customer"`
	Placed   time.Time `json:"placed"`
	Lines    []line    `json:"lines"`
	Note     *string   `json:"note,omitempty"`
}

type store struct{ orders []order }

func newStore() *store {
	words, numbers := sample.Words(1, 4000), sample.Numbers(2, 4000, 900)
	s := &store{orders: make([]order, 400)}
	for i := range s.orders {
		one := order{ID: i, Customer: "customer-" + strconv.Itoa(i%40), Placed: time.Unix(1_780_000_000+int64(i)*60, 0)}
		for j := range 5 {
			at := (i*5 + j) % len(words)
			one.Lines = append(one.Lines, line{SKU: strconv.Itoa(at), Name: words[at], Quantity: 1 + j, Cents: numbers[at],
				Options: map[string]string{"color": words[(at+1)%len(words)], "size": "m"}})
		}
		s.orders[i] = one
	}
	return s
}

func (s *store) list(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	from %= len(s.orders) - 50
	s.reply(w, s.orders[from:from+50])
}

func (s *store) reply(w http.ResponseWriter, orders []order) {
	body, err := json.Marshal(map[string]any{"orders": orders, "count": len(orders)})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func (s *store) total(w http.ResponseWriter, _ *http.Request) {
	cents := 0
	for _, one := range s.orders {
		for _, line := range one.Lines {
			cents += line.Quantity * line.Cents
		}
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(cents), 10))
}

func main() {
	host.Serve(40, []host.Call{{Weight: 4, Path: "/orders/%d"}, {Weight: 1, Path: "/total"}}, func(mux *http.ServeMux) {
		s := newStore()
		mux.HandleFunc("GET /orders/{from}", s.list)
		mux.HandleFunc("GET /total", s.total)
	})
}
