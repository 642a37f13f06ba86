// Command vectors scores documents with a small pipeline of stages.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

// stage takes and returns values of any type, as plug-ins do.
type stage interface{ apply(value any) any }

type scale struct{ by float64 }

func (s scale) apply(value any) any { return value.(float64) * s.by }

type shift struct{ by float64 }

func (s shift) apply(value any) any { return value.(float64) + s.by }

type clamp struct{ low, high float64 }

func (c clamp) apply(value any) any { return min(max(value.(float64), c.low), c.high) }

type pipeline []stage

func (p pipeline) run(value any) any {
	for _, one := range p {
		value = one.apply(value)
	}
	return value
}

func (p pipeline) score(document []int) float64 {
	sum := 0.0
	for _, weight := range document {
		sum += p.run(float64(weight)).(float64)
	}
	return sum
}

func main() {
	host.Serve(60, []host.Call{{Path: "/score/%d"}}, func(mux *http.ServeMux) {
		steps := pipeline{scale{1.7}, shift{3}, clamp{0, 900}, scale{0.2}}
		weights := sample.Numbers(306, 12_000, 1000)
		mux.HandleFunc("GET /score/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			from := number % 2000
			_, _ = w.Write(strconv.AppendFloat(nil, steps.score(weights[from:from+8000]), 'f', 1, 64))
		})
	})
}
