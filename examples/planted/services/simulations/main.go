// Command simulations estimates risks by many small experiments.
package main

import (
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type model struct{ drift, spread float64 }

// worst is the lowest value of many possible years.
func (m model) worst(years int, random *rand.Rand) float64 {
	lowest := math.Inf(1)
	for range years {
		value := 1.0
		for range 52 {
			value *= 1 + m.drift + m.spread*random.NormFloat64()
		}
		lowest = min(lowest, value)
	}
	return lowest
}

func main() {
	host.Serve(50, []host.Call{{Path: "/worst/%d"}}, func(mux *http.ServeMux) {
		m := model{0.001, 0.02}
		mux.HandleFunc("GET /worst/{seed}", func(w http.ResponseWriter, r *http.Request) {
			seed, _ := strconv.ParseUint(r.PathValue("seed"), 10, 64)
			_, _ = w.Write(strconv.AppendFloat(nil, m.worst(600, rand.New(rand.NewPCG(seed, 1))), 'f', 4, 64))
		})
	})
}
