// Command leaderboard orders players by their results in several seasons.
package main

import (
	"net/http"
	"sort"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type player struct {
	name  string
	wins  int
	place int
}

type league struct {
	players []player
	seasons map[string]map[string]int
	names   []string
}

// byWins sorts a copy.
func byWins(players []player) []player {
	sorted := append([]player(nil), players...)
	less := func(i, j int) bool { return sorted[i].wins > sorted[j].wins }
	sort.SliceStable(sorted, less)
	return sorted
}

// points looks up each player in each season.
func (l *league) points() int {
	sum := 0
	for _, name := range l.names {
		for _, season := range []string{"spring", "summer", "autumn", "winter"} {
			sum += l.seasons[season][name]
		}
	}
	return sum
}

func main() {
	host.Serve(50, []host.Call{{Path: "/wins"}, {Path: "/points"}}, func(mux *http.ServeMux) {
		l := &league{names: sample.Keys("player-", 4000), seasons: map[string]map[string]int{}}
		wins := sample.Numbers(53, 2000, 500)
		for i := range 2000 {
			l.players = append(l.players, player{name: l.names[i], wins: wins[i]})
		}
		for _, season := range []string{"spring", "summer", "autumn", "winter"} {
			l.seasons[season] = make(map[string]int, len(l.names))
			for i, name := range l.names {
				l.seasons[season][name] = i % 90
			}
		}
		mux.HandleFunc("GET /wins", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(byWins(l.players)[0].wins), 10))
		})
		mux.HandleFunc("GET /points", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.points()), 10))
		})
	})
}
