// Command elections counts ballots.
package main

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type ballot int

func (b ballot) isValid() bool { return b > 20 }

type count struct{ parties [16]atomic.Int64 }

// each runs a function for all values at the same time.
func each[T any](values []T, run func(T)) {
	var group sync.WaitGroup
	for _, value := range values {
		group.Go(func() { run(value) })
	}
	group.Wait()
}

// tally counts the valid ballots of a district.
func tally(ballots []ballot) *count {
	c := &count{}
	each(ballots, func(one ballot) {
		if one.isValid() {
			c.parties[one%16].Add(1)
		}
	})
	return c
}

func main() {
	host.Serve(65, []host.Call{{Path: "/districts/%d"}}, func(mux *http.ServeMux) {
		var ballots []ballot
		for _, number := range sample.Numbers(111, 1800, 1000) {
			ballots = append(ballots, ballot(number))
		}
		mux.HandleFunc("GET /districts/{district}", func(w http.ResponseWriter, r *http.Request) {
			district, _ := strconv.Atoi(r.PathValue("district"))
			_, _ = w.Write(strconv.AppendInt(nil, tally(ballots[district%800:]).parties[3].Load(), 10))
		})
	})
}
