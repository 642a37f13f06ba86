// Command mailmerge fills letters with the data of customers.
package main

import (
	"bytes"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type customer struct {
	name string
	city string
}

type letter struct{ paragraphs []string }

// merge writes one letter after the other.
func (l *letter) merge(customers []customer) *bytes.Buffer {
	pages := &bytes.Buffer{}
	for _, one := range customers {
		pages.WriteString("Dear ")
		pages.WriteString(one.name)
		pages.WriteString(" in ")
		pages.WriteString(one.city)
		for _, paragraph := range l.paragraphs {
			pages.WriteByte('\n')
			pages.WriteString(paragraph)
		}
		pages.WriteByte('\f')
	}
	return pages
}

func main() {
	host.Serve(60, []host.Call{{Path: "/letters/%d"}}, func(mux *http.ServeMux) {
		one := &letter{[]string{string(sample.Text(331, 300)), string(sample.Text(332, 200))}}
		names, cities := sample.Words(333, 120), sample.Words(334, 120)
		customers := make([]customer, len(names))
		for i := range customers {
			customers[i] = customer{names[i], cities[i]}
		}
		mux.HandleFunc("GET /letters/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = one.merge(customers[number%60:]).WriteTo(w)
		})
	})
}
