// Command diplomas prints certificates, each school with a text of its own.
package main

import (
	"io"
	"net/http"
	"strings"
	"text/template"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type graduate struct {
	Name, Subject string
	Grade         int
}

type school struct {
	wording   string
	graduates []graduate
}

var helpers = template.FuncMap{
	"upper": strings.ToUpper,
	"honours": func(grade int) string {
		if grade == 1 {
			return "with honours"
		}
		return ""
	},
}

// certificate fills in the school's wording.
func (s *school) certificate(w io.Writer, one graduate) error {
	layout, err := template.New("certificate").Funcs(helpers).Parse(s.wording)
	if err != nil {
		return err
	}
	return layout.Execute(w, one)
}

const wording = `{{define "head"}}{{upper "certificate"}}{{end}}{{template "head"}}
{{.Name}} has passed the examination in {{.Subject}}{{if eq .Grade 1}} {{honours .Grade}}{{else if lt .Grade 3}} well{{end}}.
{{with .Name}}We wish {{.}} the best.{{end}} {{/* signed by hand */}}
Grade: {{printf "%d" .Grade}} ({{if lt .Grade 2}}excellent{{else}}good{{end}})
`

func main() {
	names := sample.Words(81, 300)
	s := &school{wording: wording}
	for i, name := range names {
		s.graduates = append(s.graduates, graduate{name, names[len(names)-1-i], 1 + i%4})
	}
	host.Serve(45, []host.Call{{Path: "/classes/%d/certificates", Range: 60}}, func(mux *http.ServeMux) {
		mux.Handle("GET /classes/{class}/certificates", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			from := web.Number(r, "class") * 5 % 290
			for _, one := range s.graduates[from : from+5] {
				if err := s.certificate(w, one); err != nil {
					return err
				}
			}
			return nil
		}))
	})
}
