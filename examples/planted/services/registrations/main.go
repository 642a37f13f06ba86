// Command registrations takes registrations for courses and can say who was when.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type change struct {
	at     time.Time
	course int
	form   [60]string
}

type register struct {
	mu      sync.Mutex
	seats   [40]int
	history []*change
}

func changeOf(course int, r *http.Request) *change {
	one := &change{at: time.Now(), course: course}
	for i := range one.form {
		one.form[i] = "field " + strconv.Itoa(i) + " of " + r.URL.Path + " from " + r.RemoteAddr + " with a long answer in free text"
	}
	return one
}

func (g *register) add(one *change) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seats[one.course%len(g.seats)]++
	g.history = append(g.history, one)
	return g.seats[one.course%len(g.seats)]
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/courses/%d/seats", Range: 40}}, func(mux *http.ServeMux) {
		all := &register{}
		mux.HandleFunc("POST /courses/{course}/seats", func(w http.ResponseWriter, r *http.Request) {
			course, _ := strconv.Atoi(r.PathValue("course"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(all.add(changeOf(course, r))), 10))
		})
	})
}
