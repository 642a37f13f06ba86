// Command plotting smooths curves for charts.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

// smooth gives every value the mean of its neighbours, several times.
func smooth(curve []float64, rounds int) []float64 {
	for range rounds {
		next := make([]float64, len(curve))
		for i := range curve {
			low, high := max(i-2, 0), min(i+3, len(curve))
			for _, value := range curve[low:high] {
				next[i] += value / float64(high-low)
			}
		}
		curve = next
	}
	return curve
}

func peak(curve []float64) float64 {
	highest := 0.0
	for _, value := range curve {
		highest = max(highest, value)
	}
	return highest
}

func main() {
	host.Serve(60, []host.Call{{Path: "/peaks/%d"}}, func(mux *http.ServeMux) {
		curve := make([]float64, 3000)
		for i, value := range sample.Numbers(335, len(curve), 1000) {
			curve[i] = float64(value)
		}
		mux.HandleFunc("GET /peaks/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			from %= 2000
			_, _ = w.Write(strconv.AppendFloat(nil, peak(smooth(curve[from:from+1000], 6)), 'f', 1, 64))
		})
	})
}
