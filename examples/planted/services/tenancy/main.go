// Command tenancy prints the statements of landlords. Its requests have the name of the landlord as a label.
package main

import (
	"context"
	"net/http"
	"runtime/pprof"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type printer struct{ ready chan struct{} }

// print takes a statement's time at the printer.
func (p *printer) print(pages int) {
	p.ready <- struct{}{}
	defer func() { <-p.ready }()
	time.Sleep(time.Duration(pages) * time.Millisecond)
}

type statements struct {
	printer *printer
	mu      sync.Mutex
	printed map[string]int
}

// send prints the statements of all flats of a landlord.
func (s *statements) send(landlord string, flats int) {
	for range flats {
		s.printer.print(3)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.printed[landlord] += flats
}

// landlords have between two and a hundred flats.
var landlords = []struct {
	name  string
	flats int
}{{"acorn", 2}, {"birch", 3}, {"cedar", 90}, {"elm", 2}, {"maple", 4}, {"oak", 3}}

func main() {
	host.Serve(80, []host.Call{{Method: http.MethodPost, Path: "/landlords/%d/statements"}}, func(mux *http.ServeMux) {
		s := &statements{printer: &printer{make(chan struct{}, 6)}, printed: map[string]int{}}
		mux.HandleFunc("POST /landlords/{number}/statements", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := landlords[number%len(landlords)]
			pprof.Do(r.Context(), pprof.Labels("landlord", one.name), func(context.Context) {
				s.send(one.name, one.flats)
			})
			w.WriteHeader(http.StatusAccepted)
		})
	})
}
