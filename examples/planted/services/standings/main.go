// Command standings ranks the teams of a league.
package main

import (
	"net/http"
	"sort"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type team struct {
	name          string
	points, goals int
}

type league struct{ teams []team }

// rank is the place of a team.
func (l *league) rank(name string) int {
	teams := make([]team, len(l.teams))
	copy(teams, l.teams)
	sort.SliceStable(teams, func(i, j int) bool {
		if teams[i].points != teams[j].points {
			return teams[i].points > teams[j].points
		}
		return teams[i].goals > teams[j].goals
	})
	for i, one := range teams {
		if one.name == name {
			return i + 1
		}
	}
	return 0
}

func main() {
	host.Serve(60, []host.Call{{Path: "/rank/team%d", Range: 40}}, func(mux *http.ServeMux) {
		l := &league{}
		goals := sample.Numbers(324, 180, 90)
		for i, name := range sample.Keys("team", 180) {
			l.teams = append(l.teams, team{name, goals[i] * 2 / 3, goals[(i*7)%180]})
		}
		mux.HandleFunc("GET /rank/{team}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.rank(r.PathValue("team"))), 10))
		})
	})
}
