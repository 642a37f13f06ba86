// Command matrices multiplies matrices; its memory is used again.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

const size = 48

type matrix [size * size]float64

var spare = sync.Pool{New: func() any { return new(matrix) }}

func multiply(a, b, to *matrix) {
	for row := range size {
		for column := range size {
			sum := 0.0
			for i := range size {
				sum += a[row*size+i] * b[i*size+column]
			}
			to[row*size+column] = sum
		}
	}
}

func main() {
	host.Serve(50, []host.Call{{Path: "/power/%d", Range: 6}}, func(mux *http.ServeMux) {
		one := &matrix{}
		for i := range one {
			one[i] = float64(i%7) / 7
		}
		mux.HandleFunc("GET /power/{times}", func(w http.ResponseWriter, r *http.Request) {
			product, next := spare.Get().(*matrix), spare.Get().(*matrix)
			defer func() { spare.Put(product); spare.Put(next) }()
			times, _ := strconv.Atoi(r.PathValue("times"))
			*product = *one
			for range times + 1 {
				multiply(product, one, next)
				product, next = next, product
			}
			_, _ = w.Write(strconv.AppendFloat(nil, product[0], 'g', 6, 64))
		})
	})
}
