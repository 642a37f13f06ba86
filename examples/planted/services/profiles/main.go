// Command profiles answers with small JSON objects about users.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type user struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

type users struct {
	list  []user
	votes [][]uint64
}

// similarity compares what a user likes with what all others like.
func (u *users) similarity(id int) int {
	best, place := -1, 0
	for other, votes := range u.votes {
		same := 0
		for i, vote := range u.votes[id] {
			for both := vote & votes[i]; both != 0; both &= both - 1 {
				same++
			}
		}
		if other != id && same > best {
			best, place = same, other
		}
	}
	return place
}

func main() {
	host.Serve(40, []host.Call{{Weight: 2, Path: "/users/%d", Range: 800}, {Weight: 3, Path: "/similar/%d", Range: 800}}, func(mux *http.ServeMux) {
		u := &users{}
		for i, name := range sample.Words(66, 800) {
			u.list = append(u.list, user{i, name, []string{"reader"}})
			votes := make([]uint64, 16)
			for j, number := range sample.Numbers(uint64(i), len(votes), 1<<40) {
				votes[j] = uint64(number)
			}
			u.votes = append(u.votes, votes)
		}
		mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
			id, _ := strconv.Atoi(r.PathValue("id"))
			_ = json.NewEncoder(w).Encode(&u.list[id])
		})
		mux.HandleFunc("GET /similar/{id}", func(w http.ResponseWriter, r *http.Request) {
			id, _ := strconv.Atoi(r.PathValue("id"))
			_ = json.NewEncoder(w).Encode(&u.list[u.similarity(id)])
		})
	})
}
