// Command greetings fills short pages from templates that are parsed once.
package main

import (
	"html/template"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

var page = template.Must(template.New("page").Parse(`<!doctype html><h1>Hello {{.Name}}</h1><p>{{.Days}} days left.</p>`))

type calendar struct{ busy []int }

// free finds the longest time without appointments.
func (c *calendar) free(from int) int {
	longest := 0
	for start := from; start < from+500; start++ {
		length := 0
		for _, busy := range c.busy[start : start+60] {
			if busy < 30 {
				length = 0
				continue
			}
			length++
			longest = max(longest, length)
		}
	}
	return longest
}

func main() {
	host.Serve(50, []host.Call{{Path: "/hello/%d"}}, func(mux *http.ServeMux) {
		c := &calendar{busy: sample.Numbers(73, 12_000, 100)}
		mux.HandleFunc("GET /hello/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_ = page.Execute(w, struct {
				Name string
				Days int
			}{"Ada", c.free(from)})
		})
	})
}
