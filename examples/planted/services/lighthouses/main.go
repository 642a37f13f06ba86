// Command lighthouses shows visitors the lamp of a lighthouse as it is now.
package main

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type lamp struct {
	period time.Duration
	flash  atomic.Int64
}

// turn lets the lamp go round for as long as the page is open.
func (l *lamp) turn() {
	for range time.Tick(l.period) {
		l.flash.Add(1)
	}
}

func light(number int) *lamp {
	l := &lamp{period: time.Duration(400+number%300) * time.Millisecond}
	go l.turn()
	return l
}

type tower struct{ height int }

func (t tower) page(w http.ResponseWriter, r *http.Request) error {
	l := light(web.Number(r, "tower"))
	visible := 0
	for miles := range 40 {
		if miles*miles < t.height*13 {
			visible++
		}
	}
	return web.Count(w, visible+int(l.flash.Load()))
}

func main() {
	t := tower{height: 41}
	host.Run(host.Service{
		Everyday: 75,
		Calls:    []host.Call{{Path: "/towers/%d"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.Handle("GET /towers/{tower}", web.Handler(t.page)) },
	})
}
