// Command lifts moves the lifts of a town.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type lift struct {
	mu     sync.Mutex
	wanted []int
	floor  int
	trips  int
}

// step moves the lift if somebody waits.
func (l *lift) step() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wanted) > 0 {
		l.floor, l.wanted = l.wanted[0], l.wanted[1:]
		l.trips++
	}
}

func (l *lift) run() {
	for {
		l.step()
		time.Sleep(200 * time.Microsecond)
	}
}

func (l *lift) call(floor int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted = append(l.wanted, floor)
	return l.trips
}

func main() {
	host.Serve(75, []host.Call{{Method: http.MethodPost, Path: "/floors/%d"}}, func(mux *http.ServeMux) {
		var lifts [200]lift
		for i := range lifts {
			go lifts[i].run()
		}
		mux.HandleFunc("POST /floors/{floor}", func(w http.ResponseWriter, r *http.Request) {
			floor, _ := strconv.Atoi(r.PathValue("floor"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(lifts[floor%len(lifts)].call(floor)), 10))
		})
	})
}
