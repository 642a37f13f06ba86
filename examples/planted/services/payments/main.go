// Command payments books transfers between accounts.
package main

import (
	"log/slog"
	"net/http"
	"os"
	"strconv"

	"example.com/services/internal/host"
)

type transfer struct{ from, to, cents int }

type ledger struct {
	balances []int
	log      *slog.Logger
}

// book moves the amount in small parts, as the rules of the scheme want it.
func (l *ledger) book(one transfer) {
	for part := 0; part < one.cents; part += 100 {
		l.log.Info("part of transfer booked", "from", one.from, "to", one.to, "cents", 100,
			slog.Group("account", "balance", l.balances[one.from], "currency", "EUR"), "part", part/100)
		l.balances[one.from] -= 100
		l.balances[one.to] += 100
	}
}

func (l *ledger) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	l.book(transfer{from % len(l.balances), (from + 7) % len(l.balances), 4000})
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/transfer/%d"}}, func(mux *http.ServeMux) {
		l := &ledger{balances: make([]int, 500), log: slog.New(slog.NewJSONHandler(os.Stdout, nil))}
		mux.HandleFunc("POST /transfer/{from}", l.serve)
	})
}
