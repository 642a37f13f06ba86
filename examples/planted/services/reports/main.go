// Command reports writes reports as text and keeps the finished ones for a while.
package main

import (
	"bytes"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type row struct {
	name   string
	amount int
}

type reporter struct {
	rows  []row
	ready [16]*sheet
}

// sheet is a report in memory that can be sorted and filtered.
type sheet struct {
	cells [1 << 19]float64
	used  int
}

func newSheet(rows []row) *sheet {
	one := &sheet{}
	for i, row := range rows {
		one.cells[i] = float64(row.amount)
		one.used++
	}
	return one
}

func (p *reporter) text() []byte {
	var text bytes.Buffer
	for _, row := range p.rows {
		text.WriteString(row.name)
		text.WriteByte('\t')
		text.WriteString(strconv.Itoa(row.amount))
		text.WriteByte('\n')
	}
	return text.Bytes()
}

func (p *reporter) serveText(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(p.text()) }

func (p *reporter) serveTotal(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	one := p.ready[number%len(p.ready)]
	sum := 0.0
	for _, cell := range one.cells[:one.used] {
		sum += cell
	}
	_, _ = w.Write(strconv.AppendFloat(nil, sum, 'f', 2, 64))
}

func main() {
	host.Serve(50, []host.Call{{Weight: 3, Path: "/text"}, {Weight: 1, Path: "/total/%d"}}, func(mux *http.ServeMux) {
		names, amounts := sample.Words(26, 4000), sample.Numbers(27, 4000, 10_000)
		p := &reporter{}
		for i, name := range names {
			p.rows = append(p.rows, row{name, amounts[i]})
		}
		for i := range p.ready {
			p.ready[i] = newSheet(p.rows)
		}
		mux.HandleFunc("GET /text", p.serveText)
		mux.HandleFunc("GET /total/{number}", p.serveTotal)
	})
}
