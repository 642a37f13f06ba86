// Command invitations makes the letters of event organizers.
package main

import (
	"html/template"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type guest struct {
	Name  string
	Table int
}

type event struct {
	Title  string
	Guests []guest
}

const letter = `<!doctype html><title>{{.Title}}</title>
<h1>{{.Title}}</h1>
{{if .Guests}}<ol>{{range .Guests}}<li class="table-{{.Table}}">{{.Name}} at table {{.Table}}</li>{{end}}</ol>{{else}}<p>Nobody yet.</p>{{end}}
<a href="/events?title={{.Title}}">answer</a>`

// print writes the letter with the colours of the organizer.
func (e *event) print(w io.Writer, colour string) error {
	page, err := template.New("letter").Funcs(template.FuncMap{"colour": func() string { return colour }}).Parse(letter + `<footer style="color: {{colour}}">`)
	if err != nil {
		return err
	}
	return page.Execute(w, e)
}

func main() {
	host.Serve(65, []host.Call{{Path: "/letters/%d"}}, func(mux *http.ServeMux) {
		party := &event{Title: "Summer & friends"}
		for i, name := range sample.Words(305, 12) {
			party.Guests = append(party.Guests, guest{name, i % 4})
		}
		mux.HandleFunc("GET /letters/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			if err := party.print(w, []string{"green", "navy", "black"}[number%3]); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	})
}
