// Command timeseries gives the measurements of sensors in steps of a client's choice.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type point struct {
	at    int64
	value float64
	valid bool
}

type series struct{ points []point }

// between has the points of a time, without the invalid ones.
func (s *series) between(from, to int64) []point {
	var found []point
	for _, one := range s.points {
		if one.valid && one.at >= from && one.at < to {
			found = append(found, one)
		}
	}
	return found
}

func mean(points []point) float64 {
	sum := 0.0
	for _, one := range points {
		sum += one.value
	}
	return sum / float64(max(len(points), 1))
}

func main() {
	host.Serve(60, []host.Call{{Path: "/mean/%d", Range: 4000}}, func(mux *http.ServeMux) {
		s := &series{}
		for i, value := range sample.Numbers(304, 6000, 1000) {
			s.points = append(s.points, point{int64(i), float64(value), value%9 != 0})
		}
		mux.HandleFunc("GET /mean/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.ParseInt(r.PathValue("from"), 10, 64)
			_, _ = w.Write(strconv.AppendFloat(nil, mean(s.between(from, from+2000)), 'f', 2, 64))
		})
	})
}
