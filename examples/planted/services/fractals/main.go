// Command fractals colours points of the plane by formulas that users choose.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

// step is one round of a formula.
type step interface {
	next(re, im, atRe, atIm float64) (float64, float64)
}

type square struct{}

func (square) next(re, im, atRe, atIm float64) (float64, float64) {
	return re*re - im*im + atRe, 2*re*im + atIm
}

type cube struct{}

func (cube) next(re, im, atRe, atIm float64) (float64, float64) {
	return re*re*re - 3*re*im*im + atRe, 3*re*re*im - im*im*im + atIm
}

// rounds until the point is far away.
func rounds(formula step, atRe, atIm float64) (count int) {
	re, im := 0.0, 0.0
	for re*re+im*im < 4 && count < 200 {
		re, im = formula.next(re, im, atRe, atIm)
		count++
	}
	return count
}

func row(formula step, im float64) (sum int) {
	for x := range 1500 {
		sum += rounds(formula, float64(x)/750-1.4, im)
	}
	return sum
}

func main() {
	host.Serve(45, []host.Call{{Path: "/rows/%d", Range: 200}}, func(mux *http.ServeMux) {
		formulas := []step{square{}, square{}, cube{}}
		mux.HandleFunc("GET /rows/{y}", func(w http.ResponseWriter, r *http.Request) {
			y, _ := strconv.Atoi(r.PathValue("y"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(row(formulas[y%3], float64(y)/120-0.8)), 10))
		})
	})
}
