// Command seats gives out the seats of trains.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type train struct {
	mu    sync.Mutex
	taken [24000]int
}

// best finds the seats with the most room around them.
func (t *train) best(count int) (seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := -1
	for first := 0; first+count <= len(t.taken); first++ {
		room := 0
		for _, by := range t.taken[first : first+count] {
			if by == 0 {
				room++
			}
		}
		if room > most {
			most, seat = room, first
		}
	}
	return seat
}

// take marks a seat.
func (t *train) take(seat, by int) {
	t.mu.Lock()
	t.taken[seat%len(t.taken)] = by
	t.mu.Unlock()
}

func main() {
	host.Serve(50, []host.Call{{Path: "/seats/best/%d", Range: 60}, {Method: http.MethodPut, Path: "/seats/%d"}}, func(mux *http.ServeMux) {
		t := &train{}
		mux.HandleFunc("GET /seats/best/{count}", func(w http.ResponseWriter, r *http.Request) {
			count, _ := strconv.Atoi(r.PathValue("count"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(t.best(count+60)), 10))
		})
		mux.HandleFunc("PUT /seats/{seat}", func(_ http.ResponseWriter, r *http.Request) {
			seat, _ := strconv.Atoi(r.PathValue("seat"))
			t.take(seat, 1)
		})
	})
}
