// Command fleets shows where lorries are and plans their tours.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type place struct{ x, y int }

type positions struct {
	mu     sync.RWMutex
	places []place
}

// near counts the lorries around a place.
func (p *positions) near(x int) (count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.places {
		if dx, dy := one.x-x, one.y-x; dx*dx+dy*dy < 90_000 {
			count++
		}
	}
	return count
}

type planner struct {
	tours chan int
	km    int
}

func (p *planner) run() {
	for tour := range p.tours {
		time.Sleep(14 * time.Millisecond)
		p.km += tour
	}
}

// plan returns when the planner has the tour.
func plan(tours chan<- int, tour int, urgent bool) {
	if urgent {
		select {
		case tours <- tour:
		default:
		}
		return
	}
	tours <- tour
}

func main() {
	host.Serve(40, []host.Call{{Weight: 2, Path: "/near/%d"}, {Method: http.MethodPost, Path: "/tours/%d"}}, func(mux *http.ServeMux) {
		p := &positions{}
		for i := range 1_500_000 {
			p.places = append(p.places, place{i * 7919 % 10_000, i * 31 % 10_000})
		}
		one := &planner{tours: make(chan int, 2)}
		go one.run()
		mux.HandleFunc("GET /near/{x}", func(w http.ResponseWriter, r *http.Request) {
			x, _ := strconv.Atoi(r.PathValue("x"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(p.near(x)), 10))
		})
		mux.HandleFunc("POST /tours/{number}", func(_ http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			plan(one.tours, number, number%10 == 0)
		})
	})
}
