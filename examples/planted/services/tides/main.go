// Command tides looks up the heights of water at many places.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type tables struct{ heights map[string]int }

// mean of the places that the tables know.
func (t *tables) mean(places []string) int {
	sum, count := 0, 0
	for _, place := range places {
		if height, ok := t.heights[place]; ok {
			sum += height
			count++
		}
	}
	return sum / max(count, 1)
}

// differences by place, between two tables.
func (t *tables) differences(other *tables, places []string) map[string]int {
	all := map[string]int{}
	for _, place := range places {
		all[place] = t.heights[place] - other.heights[place]
	}
	return all
}

func main() {
	host.Serve(45, []host.Call{{Weight: 1, Path: "/mean/%d"}, {Weight: 1, Path: "/differences/%d"}}, func(mux *http.ServeMux) {
		places := sample.Keys("place ", 6000)
		today, tomorrow := &tables{map[string]int{}}, &tables{map[string]int{}}
		for i, place := range places {
			today.heights[place], tomorrow.heights[place] = i%700, i%650
		}
		mux.HandleFunc("GET /mean/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(today.mean(places[from%1000:])), 10))
		})
		mux.HandleFunc("GET /differences/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			all := today.differences(tomorrow, places[from%1000:][:2000])
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(all)), 10))
		})
	})
}
