// Command sensors watches the state of sensors.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type sensor struct {
	state   atomic.Int64
	seen    int64
	changes atomic.Int64
}

// poll looks for a new state.
func (s *sensor) poll() {
	for {
		if state := s.state.Load(); state != s.seen {
			s.seen = state
			s.changes.Add(1)
		}
		time.Sleep(250 * time.Microsecond)
	}
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/sensors/%d", Range: 24}}, func(mux *http.ServeMux) {
		sensors := make([]sensor, 24)
		for i := range sensors {
			go sensors[i].poll()
		}
		mux.HandleFunc("POST /sensors/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := &sensors[number%len(sensors)]
			one.state.Add(1)
			_, _ = w.Write(strconv.AppendInt(nil, one.changes.Load(), 10))
		})
	})
}
