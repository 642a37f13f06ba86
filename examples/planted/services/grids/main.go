// Command grids holds tables whose cells may be anything, and computes over them.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

// table is a list of rows of cells.
type table struct{ rows [][]any }

func (t *table) appendRow(numbers []int, name string) {
	row := make([]any, 0, len(numbers)+1)
	row = append(row, name)
	for _, number := range numbers {
		row = append(row, float64(number)*1.5)
	}
	t.rows = append(t.rows, row)
}

func load(sheet, count int) *table {
	numbers, names := sample.Numbers(uint64(sheet), 12, 9000), sample.Words(31, 16)
	t := &table{rows: make([][]any, 0, count)}
	for i := range count {
		t.appendRow(numbers, names[i%len(names)])
	}
	return t
}

func (t *table) sum() float64 {
	sum := 0.0
	for _, row := range t.rows {
		for _, cell := range row {
			if number, ok := cell.(float64); ok {
				sum += number
			}
		}
	}
	return sum
}

func serve(w http.ResponseWriter, r *http.Request) {
	sheet, _ := strconv.Atoi(r.PathValue("sheet"))
	_, _ = w.Write(strconv.AppendFloat(nil, load(sheet, 700).sum(), 'f', 1, 64))
}

func main() {
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Path: "/sum/%d"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.HandleFunc("GET /sum/{sheet}", serve) },
	})
}
