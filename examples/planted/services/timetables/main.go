// Command timetables shows the departures of a station.
package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type departure struct {
	minute, platform, delay int
	to                      string
}

func (d departure) String() string {
	if d.delay > 0 {
		return fmt.Sprintf("%02d:%02d (+%d) %-20s %2d", d.minute/60, d.minute%60, d.delay, d.to, d.platform)
	}
	return fmt.Sprintf("%02d:%02d      %-20s %2d", d.minute/60, d.minute%60, d.to, d.platform)
}

type board struct{ departures []departure }

func (b *board) show(w io.Writer, from int) {
	for i := range 120 {
		fmt.Fprintln(w, b.departures[(from+i)%len(b.departures)])
	}
}

func main() {
	host.Serve(35, []host.Call{{Path: "/departures/%d"}}, func(mux *http.ServeMux) {
		b := &board{}
		for i, to := range sample.Words(303, 600) {
			b.departures = append(b.departures, departure{i * 2, i%14 + 1, i * 7 % 5, to})
		}
		mux.HandleFunc("GET /departures/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			b.show(w, from)
		})
	})
}
