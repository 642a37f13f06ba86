// Command captions writes captions below pictures, and finds words in them.
package main

import (
	"net/http"
	"strconv"
	"strings"
	"text/template"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type picture struct {
	Title, Place, Author string
	Year                 int
	Tags                 []string
}

const form = `{{with .Title}}{{.}}{{else}}Untitled{{end}}, {{upper .Place}} ({{.Year}}){{if .Author}}, by {{.Author}}{{end}}.
{{range $i, $tag := .Tags}}{{if $i}}, {{end}}#{{$tag}}{{end}}`

// caption is the text below a picture.
func (p *picture) caption() (string, error) {
	helpers := template.FuncMap{"upper": strings.ToUpper, "trim": strings.TrimSpace}
	layout, err := template.New("caption").Funcs(helpers).Parse(form)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = layout.Execute(&text, p)
	return text.String(), err
}

type library struct{ pages [][]byte }

// occurrences counts the pages that have a word.
func (l *library) occurrences(word string) (count int) {
	for _, page := range l.pages {
		if strings.Contains(string(page), word) {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(50, []host.Call{{Weight: 30, Path: "/pictures/%d"}, {Weight: 2, Path: "/words/%d"}}, func(mux *http.ServeMux) {
		p := &picture{"Harbour", "Lisbon", "Ada", 1931, sample.Words(97, 6)}
		l := &library{}
		for i := range 150 {
			l.pages = append(l.pages, sample.Text(uint64(i), 16<<10))
		}
		mux.HandleFunc("GET /pictures/{number}", func(w http.ResponseWriter, _ *http.Request) {
			text, err := p.caption()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte(text))
		})
		mux.HandleFunc("GET /words/{number}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.occurrences("harbour"+r.PathValue("number"))), 10))
		})
	})
}
