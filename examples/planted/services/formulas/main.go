// Command formulas computes the cells of sheets.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type expression interface{ value(cells []float64) float64 }

type cell int

func (c cell) value(cells []float64) float64 { return cells[int(c)%len(cells)] }

type constant float64

func (c constant) value([]float64) float64 { return float64(c) }

type sum struct{ left, right expression }

func (s *sum) value(cells []float64) float64 { return s.left.value(cells) + s.right.value(cells) }

type product struct{ left, right expression }

func (p *product) value(cells []float64) float64 { return p.left.value(cells) * p.right.value(cells) }

// formula is a sum of products as deep as asked for.
func formula(depth, number int) expression {
	if depth == 0 {
		if number%3 == 0 {
			return constant(number % 7)
		}
		return cell(number)
	}
	left, right := formula(depth-1, number*2+1), formula(depth-1, number*3+1)
	if depth%2 == 0 {
		return &sum{left, right}
	}
	return &product{left, right}
}

// total adds the values of a formula over all columns.
func total(of expression, columns [][]float64) float64 {
	all := 0.0
	for _, cells := range columns {
		all += of.value(cells)
	}
	return all
}

func main() {
	host.Serve(35, []host.Call{{Path: "/sheets/%d/total"}}, func(mux *http.ServeMux) {
		one := formula(9, 4)
		columns := make([][]float64, 400)
		for i := range columns {
			columns[i] = []float64{1, 0.5, float64(i), 0.25, 2}
		}
		mux.HandleFunc("GET /sheets/{sheet}/total", func(w http.ResponseWriter, r *http.Request) {
			sheet, _ := strconv.Atoi(r.PathValue("sheet"))
			_, _ = w.Write(strconv.AppendFloat(nil, total(one, columns[sheet%100:]), 'g', -1, 64))
		})
	})
}
