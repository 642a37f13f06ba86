// Command accounts changes the limits of accounts.
package main

import (
	"errors"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

var errTooHigh = errors.New("the limit is too high")

type account struct {
	mu    sync.Mutex
	limit int
}

type bank struct{ accounts [64]account }

func (a *account) raise(by int) error {
	a.mu.Lock()
	if by > 9900 {
		return errTooHigh
	}
	a.limit += by
	a.mu.Unlock()
	return nil
}

func (b *bank) serve(w http.ResponseWriter, r *http.Request) {
	by, _ := strconv.Atoi(r.PathValue("by"))
	if err := b.accounts[by%len(b.accounts)].raise(by); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/raise/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /raise/{by}", new(bank).serve)
	})
}
