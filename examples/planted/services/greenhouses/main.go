// Command greenhouses opens and closes the windows of greenhouses.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type window struct {
	once   sync.Once
	target atomic.Int32
	angle  int32
	moves  atomic.Int64
}

// turn brings the window closer to its target.
func (w *window) turn() {
	if target := w.target.Load(); target != w.angle {
		w.angle = target
		w.moves.Add(1)
	}
}

// every runs a function until the program ends.
func every(pause time.Duration, run func()) {
	timer := time.NewTimer(pause)
	for range timer.C {
		run()
		timer.Reset(pause)
	}
}

func (w *window) set(angle int32) int64 {
	w.once.Do(func() { go every(500*time.Microsecond, w.turn) })
	w.target.Store(angle)
	return w.moves.Load()
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPut, Path: "/windows/%d"}}, func(mux *http.ServeMux) {
		var windows [150]window
		mux.HandleFunc("PUT /windows/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, windows[number%len(windows)].set(int32(number%90)), 10))
		})
	})
}
