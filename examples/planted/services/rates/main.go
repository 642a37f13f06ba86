// Command rates converts amounts; the rates come from a bank.
package main

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type rates struct {
	mu      sync.RWMutex
	byCode  map[string]float64
	table   [20000]float64
	refresh sync.Mutex
	client  *http.Client
	bank    string
	text    []byte
}

// convert takes the lock for writing, although it only reads.
func (x *rates) convert(code string, amount float64) float64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	sum := 0.0
	for _, factor := range x.table {
		sum += factor * amount
	}
	return sum * x.byCode[code]
}

// latest is the text of the bank.
func (x *rates) latest() []byte {
	x.refresh.Lock()
	defer x.refresh.Unlock()
	reply, err := x.client.Get(x.bank + "/rates")
	if err != nil {
		return x.text
	}
	defer reply.Body.Close()
	x.text, _ = io.ReadAll(io.LimitReader(reply.Body, 1<<12))
	return x.text
}

func (x *rates) serveConvert(w http.ResponseWriter, r *http.Request) {
	amount, _ := strconv.ParseFloat(r.PathValue("amount"), 64)
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() { x.convert("EUR", amount) })
	}
	group.Wait()
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Weight: 3, Path: "/convert/%d"}, {Weight: 1, Path: "/latest"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(15 * time.Millisecond)
			_, _ = w.Write([]byte("EUR 1.08"))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			x := &rates{byCode: map[string]float64{"EUR": 1}, client: &http.Client{Timeout: time.Second}, bank: upstream}
			mux.HandleFunc("GET /convert/{amount}", x.serveConvert)
			mux.HandleFunc("GET /latest", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(x.latest()) })
		},
	})
}
