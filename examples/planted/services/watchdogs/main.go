// Command watchdogs follows jobs and says when they are late.
package main

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type jobs struct{ late atomic.Int64 }

// start runs a job, with a watchdog for the case that it is cancelled.
func (j *jobs) start(number int) {
	ctx := context.WithoutCancel(context.Background())
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go j.watch(ctx, done)
	if number%50 == 0 {
		cancel()
	}
	j.run(number)
	_ = cancel
}

func (j *jobs) run(number int) {
	sum := 0
	for i := range 2000 {
		sum += i * number
	}
	if sum == 1 {
		j.late.Add(1)
	}
}

func (j *jobs) watch(ctx context.Context, done chan struct{}) {
	select {
	case <-ctx.Done():
		j.late.Add(1)
	case <-done:
	case <-time.After(time.Hour):
	}
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/jobs/%d"}}, func(mux *http.ServeMux) {
		j := &jobs{}
		mux.HandleFunc("POST /jobs/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			j.start(number)
			_, _ = w.Write(strconv.AppendInt(nil, j.late.Load(), 10))
		})
	})
}
