// Command laundries washes what hotels send, with one machine behind a short queue.
package main

import (
	"net/http"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type load struct {
	kilos int
	done  chan<- int
}

type laundry struct{ queue chan load }

func (l *laundry) machine() {
	for one := range l.queue {
		time.Sleep(time.Duration(one.kilos) * 200 * time.Microsecond)
		one.done <- one.kilos * 9
	}
}

// hand a load in at the counter.
func (l *laundry) hand(kilos int) <-chan int {
	done := make(chan int, 1)
	l.queue <- load{kilos, done}
	return done
}

func (l *laundry) wash(w http.ResponseWriter, r *http.Request) error {
	hotel, litres := web.Number(r, "hotel"), 0
	var washed []<-chan int
	for bag := range 5 {
		washed = append(washed, l.hand(3+(hotel+bag)%6))
	}
	for _, done := range washed {
		litres += <-done
	}
	return web.Count(w, litres)
}

func main() {
	l := &laundry{make(chan load, 2)}
	host.Serve(75, []host.Call{{Method: http.MethodPost, Path: "/hotels/%d/laundry"}}, func(mux *http.ServeMux) {
		go l.machine()
		mux.Handle("POST /hotels/{hotel}/laundry", web.Handler(l.wash))
	})
}
