// Command rosters shows which crews fly on a day. The plan is replaced while it is read.
package main

import (
	"net/http"
	"slices"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type duty struct {
	crew   [12]uint32
	flight uint32
	hours  [31]uint8
	rest   bool
}

type plan struct {
	mu     sync.RWMutex
	duties []duty
}

// snapshot is safe to read without the lock.
func (p *plan) snapshot() []duty {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Clone(p.duties)
}

func (p *plan) flown(day int) (hours int) {
	for _, one := range p.snapshot() {
		if !one.rest {
			hours += int(one.hours[day%31])
		}
	}
	return hours
}

func (p *plan) swap(flight int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := flight % len(p.duties)
	p.duties[at].crew[0], p.duties[at].crew[1] = p.duties[at].crew[1], p.duties[at].crew[0]
}

func main() {
	host.Serve(50, []host.Call{{Weight: 9, Path: "/days/%d"}, {Method: http.MethodPost, Path: "/flights/%d/swap"}}, func(mux *http.ServeMux) {
		p := &plan{}
		for i, flight := range sample.Numbers(121, 12_000, 9999) {
			one := duty{flight: uint32(flight), rest: i%4 == 0}
			one.hours[i%31] = uint8(flight % 9)
			p.duties = append(p.duties, one)
		}
		mux.Handle("GET /days/{day}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, p.flown(web.Number(r, "day")))
		}))
		mux.HandleFunc("POST /flights/{flight}/swap", func(_ http.ResponseWriter, r *http.Request) { p.swap(web.Number(r, "flight")) })
	})
}
