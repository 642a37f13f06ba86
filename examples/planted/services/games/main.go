// Command games lets players join rooms.
package main

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type player struct {
	name    string
	expires time.Time
	beats   atomic.Int64
}

type room struct{ players atomic.Int64 }

// heartbeat counts how long a player is there.
func (p *player) heartbeat() {
	ticker := time.NewTicker(2 * time.Second)
	for range ticker.C {
		p.beats.Add(1)
	}
}

func (r *room) join(name string) *player {
	one := &player{name: name, expires: time.Now().Add(time.Second)}
	go one.heartbeat()
	r.players.Add(1)
	return one
}

func (r *room) serve(w http.ResponseWriter, request *http.Request) {
	one := r.join(request.PathValue("name"))
	_, _ = w.Write([]byte(one.name))
}

func main() {
	host.Serve(75, []host.Call{{Method: http.MethodPost, Path: "/join/p%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /join/{name}", new(room).serve)
	})
}
