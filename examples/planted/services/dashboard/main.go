// Command dashboard shows the state of a warehouse as a page.
package main

import (
	"html/template"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

var page = template.Must(template.New("page").Parse(`<!doctype html><title>{{.Title}}</title>
<table>{{range .Shelves}}<tr class="{{if .Low}}low{{else}}full{{end}}"><td><a href="/shelf?name={{.Name}}">{{.Name}}</a></td>
<td>{{.Left}}</td><td style="width: {{.Percent}}%">{{printf "%d %%" .Percent}}</td></tr>{{end}}</table>`))

type shelf struct {
	Name string
	Left int
}

func (s shelf) Low() bool    { return s.Left < 20 }
func (s shelf) Percent() int { return s.Left / 10 }

type warehouse struct{ shelves []shelf }

func newWarehouse() *warehouse {
	names, left := sample.Words(15, 120), sample.Numbers(16, 120, 1000)
	one := &warehouse{shelves: make([]shelf, len(names))}
	for i := range one.shelves {
		one.shelves[i] = shelf{names[i], left[i]}
	}
	return one
}

func (h *warehouse) render(w http.ResponseWriter, _ *http.Request) {
	data := struct {
		Title   string
		Shelves []shelf
	}{"Warehouse", h.shelves}
	if err := page.Execute(w, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Path: "/"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.HandleFunc("GET /{$}", newWarehouse().render) },
	})
}
