// Command podium ranks the runners of a race, and lists their splits.
package main

import (
	"net/http"
	"sort"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type runner struct {
	number, seconds int
	club            string
}

// firsts returns the best by a measure.
func firsts[T any](all []T, count int, measure func(T) int) []T {
	ranked := make([]T, len(all))
	copy(ranked, all)
	sort.Slice(ranked, func(i, j int) bool { return measure(ranked[i]) < measure(ranked[j]) })
	return ranked[:count]
}

type split struct{ kilometre, seconds, pulse, height int }

type race struct{ runners []runner }

// splits has an entry for each kilometre of each runner.
func (r *race) splits(kilometres int) []split {
	var all []split
	for _, one := range r.runners {
		for kilometre := range kilometres {
			all = append(all, split{kilometre: kilometre, seconds: one.seconds * kilometre / kilometres})
		}
	}
	return all
}

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Path: "/races/%d/podium"}, {Weight: 1, Path: "/races/%d/splits"}}, func(mux *http.ServeMux) {
		r := &race{}
		for i, seconds := range sample.Numbers(93, 1600, 20_000) {
			r.runners = append(r.runners, runner{i, 7000 + seconds, "club " + strconv.Itoa(i%30)})
		}
		mux.HandleFunc("GET /races/{race}/podium", func(w http.ResponseWriter, _ *http.Request) {
			best := firsts(r.runners, 3, func(one runner) int { return one.seconds })
			_, _ = w.Write(strconv.AppendInt(nil, int64(best[0].number), 10))
		})
		mux.HandleFunc("GET /races/{race}/splits", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(r.splits(21))), 10))
		})
	})
}
