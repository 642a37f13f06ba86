// Command subscriptions tells subscribers when prices change.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type listener func(cents int)

type market struct {
	mu        sync.Mutex
	listeners []listener
	cents     int
}

// follow calls back whenever the price changes.
func (m *market) follow(call listener) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listeners = append(m.listeners, call)
}

type view struct {
	history [1024]int
	changes int
}

// open shows a price for as long as the request takes.
func open(m *market) *view {
	one := &view{}
	m.follow(func(cents int) {
		one.history[one.changes%len(one.history)] = cents
		one.changes++
	})
	return one
}

func main() {
	host.Serve(55, []host.Call{{Path: "/prices/%d"}}, func(mux *http.ServeMux) {
		m := &market{}
		mux.HandleFunc("GET /prices/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := open(m)
			one.history[0] = number
			_, _ = w.Write(strconv.AppendInt(nil, int64(one.history[0]), 10))
		})
	})
}
