// Command receipts prints receipts as text.
package main

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type item struct {
	name     string
	quantity int
	cents    int
}

type printer struct{ items []item }

func newPrinter() *printer {
	names, cents := sample.Words(8, 600), sample.Numbers(9, 600, 20_000)
	p := &printer{items: make([]item, len(names))}
	for i := range p.items {
		p.items[i] = item{names[i], 1 + i%4, cents[i]}
	}
	return p
}

func amount(cents int) string { return fmt.Sprintf("%d.%02d EUR", cents/100, cents%100) }

func formatLine(one item) string {
	return fmt.Sprintf("%-24s %3d x %12s = %12s\n", one.name, one.quantity, amount(one.cents), amount(one.quantity*one.cents))
}

func (p *printer) print(w http.ResponseWriter, _ *http.Request) {
	var text strings.Builder
	text.Grow(len(p.items) * 72)
	for _, one := range p.items {
		text.WriteString(formatLine(one))
	}
	_, _ = w.Write([]byte(text.String()))
}

func main() {
	host.Serve(55, []host.Call{{Path: "/receipt/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /receipt/{id}", newPrinter().print)
	})
}
