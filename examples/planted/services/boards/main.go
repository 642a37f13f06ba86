// Command boards plays a game and can take moves back.
package main

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

const side = 300

type game struct {
	mu     sync.Mutex
	board  []uint64
	before [32][]uint64
	moves  int
}

// play keeps the board as it was, and sets a piece.
func (g *game) play(at int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept := &g.before[g.moves%len(g.before)]
	*kept = append((*kept)[:0], g.board...)
	g.board[at%len(g.board)] ^= 1 << (at % 64)
	g.moves++
	return g.moves
}

// back returns to the last board.
func (g *game) back() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.moves > 0 {
		g.moves--
		if last := g.before[g.moves%len(g.before)]; len(last) == len(g.board) {
			g.board = slices.Replace(g.board, 0, len(g.board), last...)
		}
	}
}

func main() {
	host.Serve(50, []host.Call{{Weight: 4, Method: http.MethodPut, Path: "/pieces/%d"}, {Method: http.MethodDelete, Path: "/moves/%d"}}, func(mux *http.ServeMux) {
		g := &game{board: make([]uint64, side*side)}
		mux.HandleFunc("PUT /pieces/{at}", func(w http.ResponseWriter, r *http.Request) {
			at, _ := strconv.Atoi(r.PathValue("at"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(g.play(at)), 10))
		})
		mux.HandleFunc("DELETE /moves/{number}", func(http.ResponseWriter, *http.Request) { g.back() })
	})
}
