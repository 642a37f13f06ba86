// Command departures shows what leaves a station next.
package main

import (
	_ "embed"
	"html/template"
	"net/http"
	"sort"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

//go:embed board.html
var boardSource string

var board = template.Must(template.New("board").Parse(boardSource))

type train struct {
	Line, Destination, Track string
	Minute, Delay            int
	Stops                    []string
}

type station struct{ trains []train }

func newStation() *station {
	names, minutes := sample.Words(21, 900), sample.Numbers(22, 900, 1440)
	s := &station{}
	for i, minute := range minutes {
		s.trains = append(s.trains, train{Line: "S" + names[i][:1], Destination: names[(i*7)%900], Track: names[i][:2], Minute: minute, Delay: i % 9, Stops: names[i/4 : i/4+3]})
	}
	return s
}

// upcoming are the next trains, those without delay first.
func (s *station) upcoming(minute int) []train {
	all := make([]train, len(s.trains))
	copy(all, s.trains)
	sort.Slice(all, func(a, b int) bool {
		left, right := (all[a].Minute-minute+1440)%1440, (all[b].Minute-minute+1440)%1440
		if left != right {
			return left < right
		}
		return all[a].Delay < all[b].Delay
	})
	return all[:14]
}

func show(w http.ResponseWriter, trains []train) error {
	w.Header().Set("Content-Type", "text/html")
	return board.Execute(w, map[string]any{"Title": "Departures", "Trains": trains})
}

func main() {
	host.Serve(45, []host.Call{{Path: "/board/%d", Range: 1440}}, func(mux *http.ServeMux) {
		s := newStation()
		mux.Handle("GET /board/{minute}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return show(w, s.upcoming(web.Number(r, "minute")))
		}))
	})
}
