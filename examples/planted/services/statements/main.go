// Command statements shows accounts and keeps a copy of what it has shown.
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"text/template"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type row struct {
	Text  string
	Cents int
}

type account struct {
	Number int
	Rows   []row
}

func (a account) Balance() (sum int) {
	for _, one := range a.Rows {
		sum += one.Cents
	}
	return sum
}

var statement = template.Must(template.New("statement").Parse(`Account {{.Number}}
{{range $i, $row := .Rows}}{{$i}} {{printf "%-12s" $row.Text}} {{if gt $row.Cents 500}}+{{end}}{{$row.Cents}}
{{end}}Balance {{.Balance}}
`))

func (a account) show() (string, error) {
	text := &strings.Builder{}
	text.Grow(2048)
	err := statement.Execute(text, a)
	return text.String(), err
}

// keep stores the lines, numbered.
func keep(file *os.File, text string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if _, err := file.Write(strconv.AppendInt(nil, int64(number), 10)); err != nil {
			return err
		}
		if _, err := file.WriteString(line); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	host.Serve(60, []host.Call{{Path: "/accounts/%d"}}, func(mux *http.ServeMux) {
		file, err := os.CreateTemp("", "statements")
		if err != nil {
			log.Fatal(err)
		}
		_ = os.Remove(file.Name())
		var rows []row
		for i, text := range sample.Words(365, 20) {
			rows = append(rows, row{text, i * 97 % 1000})
		}
		mux.HandleFunc("GET /accounts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			text, err := account{number, rows}.show()
			if err == nil {
				err = keep(file, text)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte(text))
		})
	})
}
