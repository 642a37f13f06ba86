// Command wallets books amounts, with a lock per part of the accounts.
package main

import (
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type part struct {
	mu    sync.Mutex
	cents [256]int
}

type wallets [64]part

func (w *wallets) book(account, cents int) int {
	one := &w[account%len(w)]
	one.mu.Lock()
	defer one.mu.Unlock()
	one.cents[account/len(w)%len(one.cents)] += cents
	return one.cents[account/len(w)%len(one.cents)]
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/accounts/%d"}}, func(mux *http.ServeMux) {
		all := &wallets{}
		logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
		mux.HandleFunc("POST /accounts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			balance := all.book(number, number%100-49)
			logger.Debug("booked", "account", number)
			_, _ = w.Write(strconv.AppendInt(nil, int64(balance), 10))
		})
	})
}
