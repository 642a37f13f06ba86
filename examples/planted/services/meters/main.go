// Command meters smooths the readings of electricity meters.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type station struct {
	readings []int
	spent    atomic.Int64
	slow     atomic.Int64
}

// smooth measures each step, for the metrics.
func (s *station) smooth(from, count int) int {
	value := s.readings[from]
	for _, reading := range s.readings[from : from+count] {
		began := time.Now()
		value = (value*7 + reading) / 8
		if took := time.Since(began); took > time.Millisecond {
			s.slow.Add(1)
		}
	}
	return value
}

func (s *station) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	_, _ = w.Write(strconv.AppendInt(nil, int64(s.smooth(from, 6000)), 10))
}

func main() {
	host.Serve(60, []host.Call{{Path: "/smooth/%d"}}, func(mux *http.ServeMux) {
		s := &station{readings: sample.Numbers(18, 20_000, 4000)}
		mux.HandleFunc("GET /smooth/{from}", s.serve)
	})
}
