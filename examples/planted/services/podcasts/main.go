// Command podcasts counts who listens to what, and hands recordings to the encoder.
package main

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

// charts has the seconds that were heard of each episode.
type charts struct {
	mu      sync.Mutex
	seconds map[int][]int
}

// listen adds seconds, and returns the median of the episode.
func (c *charts) listen(episode, seconds int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	heard := append(c.seconds[episode], seconds)
	if len(heard) > 3000 {
		heard = heard[len(heard)-3000:]
	}
	c.seconds[episode] = heard
	sorted := slices.Sorted(slices.Values(heard))
	return sorted[len(sorted)/2]
}

type recording struct{ minutes int }

type encoder struct {
	work    chan recording
	minutes int
}

func (e *encoder) run() {
	for one := range e.work {
		time.Sleep(time.Duration(one.minutes) * 3 * time.Millisecond)
		e.minutes += one.minutes
	}
}

// publish returns as soon as the encoder has taken the recording.
func publish(work chan<- recording, minutes int) {
	work <- recording{minutes}
}

func main() {
	host.Serve(60, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/episodes/%d/heard"}, {Weight: 1, Method: http.MethodPut, Path: "/recordings/%d"}}, func(mux *http.ServeMux) {
		c := &charts{seconds: map[int][]int{}}
		for episode := range 8 {
			for i := range 2500 {
				c.seconds[episode] = append(c.seconds[episode], i*7919%3600)
			}
		}
		e := &encoder{work: make(chan recording)}
		go e.run()
		mux.HandleFunc("POST /episodes/{episode}/heard", func(w http.ResponseWriter, r *http.Request) {
			episode, _ := strconv.Atoi(r.PathValue("episode"))
			var group sync.WaitGroup
			for part := range 4 {
				group.Go(func() { c.listen(episode%8, part*episode%3600) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
		mux.HandleFunc("PUT /recordings/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			publish(e.work, 8+number%9)
			w.WriteHeader(http.StatusAccepted)
		})
	})
}
