// Command turnstiles counts the visitors of a station at its turnstiles.
package main

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type turnstile struct {
	pulses  chan struct{}
	visits  atomic.Int64
	elapsed atomic.Int64
}

// watch counts pulses, and how long the turnstile was in use.
func (t *turnstile) watch(ctx context.Context) {
	ticker := time.NewTicker(200 * time.Microsecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.pulses:
			t.visits.Add(1)
		case <-ticker.C:
			t.elapsed.Add(1)
		}
	}
}

type station struct{ turnstiles [20]*turnstile }

func open(ctx context.Context) *station {
	s := &station{}
	for i := range s.turnstiles {
		s.turnstiles[i] = &turnstile{pulses: make(chan struct{}, 16)}
		go s.turnstiles[i].watch(ctx)
	}
	return s
}

func (s *station) pass(number int) int64 {
	one := s.turnstiles[number%len(s.turnstiles)]
	one.pulses <- struct{}{}
	return one.visits.Load()
}

func main() {
	host.Serve(75, []host.Call{{Method: http.MethodPost, Path: "/turnstiles/%d"}}, func(mux *http.ServeMux) {
		s := open(context.Background())
		mux.HandleFunc("POST /turnstiles/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, s.pass(number), 10))
		})
	})
}
