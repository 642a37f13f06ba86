// Command quotes answers with the average prices of securities.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type tape struct{ prices []int }

// window is what an average is computed over.
type window struct {
	values  []float64
	squares []float64
	weights []float64
}

func newWindow(size int) *window {
	return &window{values: make([]float64, size), squares: make([]float64, size), weights: make([]float64, size)}
}

func (t *tape) average(from, size int) float64 {
	over := newWindow(size)
	sum, weight := 0.0, 0.0
	for i := range size {
		over.values[i] = float64(t.prices[(from+i)%len(t.prices)])
		over.weights[i] = float64(size - i)
		sum += over.values[i] * over.weights[i]
		weight += over.weights[i]
	}
	return sum / weight
}

func (t *tape) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	average := t.average(from, 24_000)
	_, _ = w.Write(strconv.AppendFloat(nil, average, 'f', 4, 64))
}

func main() {
	host.Serve(50, []host.Call{{Path: "/average/%d"}}, func(mux *http.ServeMux) {
		t := &tape{prices: sample.Numbers(31, 50_000, 10_000)}
		mux.HandleFunc("GET /average/{from}", t.serve)
	})
}
