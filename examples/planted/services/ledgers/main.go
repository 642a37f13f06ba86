// Command ledgers books amounts; the lock is held for a moment only.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type ledger struct {
	mu     sync.Mutex
	totals [2000]int
}

func (l *ledger) book(account, cents int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.totals[account] += cents
	return l.totals[account]
}

// check is the check digit of a long number.
func check(digits []byte) int {
	sum := 0
	for round := range 12 {
		for i, digit := range digits {
			sum = (sum + int(digit)*(3+2*((i+round)%2))) % 97
		}
	}
	return sum
}

func main() {
	host.Serve(40, []host.Call{{Method: http.MethodPost, Path: "/book/%d", Range: 2000}}, func(mux *http.ServeMux) {
		l, digits := &ledger{}, sample.Bytes(71, 9000)
		mux.HandleFunc("POST /book/{account}", func(w http.ResponseWriter, r *http.Request) {
			account, _ := strconv.Atoi(r.PathValue("account"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.book(account, check(digits))), 10))
		})
	})
}
