// Command invoices fills the letters that go with invoices.
package main

import (
	"net/http"
	"strconv"
	"text/template"

	"example.com/services/internal/host"
)

const letter = `{{define "address"}}{{.Name}}, {{.Street}} {{.Number}}{{end -}}
Dear {{.Name}},
{{if gt .Cents 10000}}thank you for your large order.{{else if gt .Cents 1000}}thank you for your order.{{else}}thank you.{{end}}
{{range $i, $line := .Lines}}{{$i}}: {{$line.Name | printf "%-20s"}} {{$line.Cents}}
{{else}}nothing
{{end}}
{{with .Discount}}Your discount is {{.}} percent.{{end}}
{{template "address" .}}
{{range .Terms}}{{if .}}- {{. | html | printf "%s"}}{{end}}
{{end}}`

type position struct {
	Name  string
	Cents int
}

type invoice struct {
	Name, Street            string
	Number, Cents, Discount int
	Lines                   []position
	Terms                   []string
}

type desk struct{ taxes map[string]int }

func (d *desk) tax(country string) int { return d.taxes[country] }

func (d *desk) write(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	one := invoice{Name: "A. Customer", Street: "Long Street", Number: number, Cents: number * d.tax("de"),
		Lines: []position{{"Lamp", 1900}, {"Chair", 8900}}, Terms: []string{"Pay within 14 days."}}
	if err := fill(w, one); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func fill(w http.ResponseWriter, one invoice) error {
	page, err := template.New("letter").Parse(letter)
	if err != nil {
		return err
	}
	return page.Execute(w, one)
}

func main() {
	host.Serve(30, []host.Call{{Path: "/invoice/%d"}}, func(mux *http.ServeMux) {
		d := &desk{taxes: map[string]int{"de": 19, "fr": 20}}
		mux.HandleFunc("GET /invoice/{number}", d.write)
	})
}
