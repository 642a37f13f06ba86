// Command carpools brings drivers and passengers together.
package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type offers struct {
	guard sync.Mutex
	towns []string
	seats map[string]int
}

// nearest looks for the towns that a name begins with.
func (o *offers) nearest(prefix string) (seats int) {
	o.guard.Lock()
	defer o.guard.Unlock()
	for _, town := range o.towns {
		if strings.HasPrefix(town, prefix) {
			o.seats[town]++
			seats += o.seats[town]
		}
	}
	return seats
}

type desk struct {
	letters chan string
	sent    int
}

func (d *desk) work() {
	for range d.letters {
		time.Sleep(9 * time.Millisecond)
		d.sent++
	}
}

// write hands a letter to the desk.
func (d *desk) write(to string) { d.letters <- to }

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Path: "/towns/%d/seats"}, {Weight: 1, Method: http.MethodPost, Path: "/letters/%d"}}, func(mux *http.ServeMux) {
		o := &offers{towns: sample.Keys("town", 30_000), seats: map[string]int{}}
		d := &desk{letters: make(chan string, 2)}
		go d.work()
		mux.HandleFunc("GET /towns/{number}/seats", func(w http.ResponseWriter, r *http.Request) {
			var group sync.WaitGroup
			for i := range 4 {
				group.Go(func() { o.nearest("town" + r.PathValue("number") + strconv.Itoa(i)) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
		mux.HandleFunc("POST /letters/{number}", func(w http.ResponseWriter, r *http.Request) {
			for range 3 {
				d.write(r.PathValue("number"))
			}
			w.WriteHeader(http.StatusAccepted)
		})
	})
}
