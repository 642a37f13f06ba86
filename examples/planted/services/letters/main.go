// Command letters writes offers and lists for customers.
package main

import (
	"embed"
	"html/template"
	"io"
	"net/http"
	"strconv"
	text "text/template"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

//go:embed pages
var pages embed.FS

type article struct {
	ID         int
	Name, Kind string
	New        bool
}

type offer struct {
	Title, Customer, Color, Signed string
	Articles                       []article
}

type office struct{ articles []article }

func (o *office) open() (*template.Template, error) { return template.ParseFS(pages, "pages/*.html") }

func (o *office) write(w http.ResponseWriter, r *http.Request) {
	all, err := o.open()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = all.ExecuteTemplate(w, "offer", offer{Title: "Our offer", Customer: r.PathValue("customer"), Color: "black", Articles: o.articles[:4]})
}

var rows = text.Must(text.New("rows").Parse(`{{define "row"}}{{.ID | printf "%05d"}} {{.Name}} {{if .New}}*{{end}}{{end}}` +
	`{{range $i, $a := .}}{{if and $a.Name (gt $a.ID 2)}}{{template "row" $a}}{{else}}-{{end}}
{{end}}`))

func listing(w io.Writer, articles []article) error { return rows.Execute(w, articles) }

func main() {
	host.Serve(50, []host.Call{{Weight: 9, Path: "/offer/c%d"}, {Weight: 1, Path: "/list"}}, func(mux *http.ServeMux) {
		o := &office{}
		for i, name := range sample.Words(45, 150) {
			o.articles = append(o.articles, article{ID: i, Name: name + strconv.Itoa(i), Kind: "plain", New: i%5 == 0})
		}
		mux.HandleFunc("GET /offer/{customer}", o.write)
		mux.HandleFunc("GET /list", func(w http.ResponseWriter, _ *http.Request) { _ = listing(w, o.articles) })
	})
}
