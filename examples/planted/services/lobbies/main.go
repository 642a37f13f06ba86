// Command lobbies brings players together.
package main

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type player struct {
	level int
	match chan int
}

type lobby struct {
	mu      sync.Mutex
	waiting []player
	levels  []int
	joined  int
}

// join looks for somebody of about the same level.
func (l *lobby) join(one player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.levels[l.joined%len(l.levels)] = one.level
	l.joined++
	sorted := slices.Sorted(slices.Values(l.levels))
	if one.level < sorted[len(sorted)/100] {
		return
	}
	for i, other := range l.waiting {
		if other.level == one.level {
			l.waiting = slices.Delete(l.waiting, i, i+1)
			return
		}
	}
	if len(l.waiting) < 100 {
		l.waiting = append(l.waiting, one)
	}
}

// invite tells the player by mail who the other is.
func (l *lobby) invite(one player, mails chan<- int) {
	other := <-one.match
	mails <- other
}

// play answers after a moment, with or without a match.
func (l *lobby) play(level int, mails chan<- int) int {
	one := player{level, make(chan int)}
	l.join(one)
	go l.invite(one, mails)
	select {
	case other := <-one.match:
		return other
	case <-time.After(2 * time.Millisecond):
		return -1
	}
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/players/%d", Range: 5000}}, func(mux *http.ServeMux) {
		l, mails := &lobby{levels: make([]int, 20_000)}, make(chan int, 16)
		mux.HandleFunc("POST /players/{level}", func(w http.ResponseWriter, r *http.Request) {
			level, _ := strconv.Atoi(r.PathValue("level"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.play(level, mails)), 10))
		})
	})
}
