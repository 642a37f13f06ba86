// Command headlines brings headlines into one form and shows where they are filed.
package main

import (
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type desk struct {
	texts    []string
	sections []string
}

// capitalize writes the first letter of each word as a capital.
func capitalize(text string) string {
	start := true
	for i := range len(text) {
		letters := []byte(text)
		if start {
			letters[i] = byte(unicode.ToUpper(rune(letters[i])))
			text = string(letters)
		}
		start = text[i] == ' '
	}
	return text
}

// joinAll puts a separator between the parts.
func joinAll[S ~string](parts []S, separator string) string {
	joined := ""
	for _, part := range parts {
		joined = joined + separator + string(part)
	}
	return joined
}

func (d *desk) headlines(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	_, _ = w.Write([]byte(capitalize(d.texts[number%len(d.texts)])))
}

func (d *desk) path(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(joinAll(d.sections, " / ")[:80]))
}

func main() {
	host.Serve(45, []host.Call{{Weight: 2, Path: "/headlines/%d"}, {Weight: 1, Path: "/path"}}, func(mux *http.ServeMux) {
		d := &desk{sections: sample.Words(43, 500)}
		for i := range 30 {
			d.texts = append(d.texts, strings.ReplaceAll(string(sample.Text(uint64(i), 800)), "\n", " "))
		}
		mux.HandleFunc("GET /headlines/{number}", d.headlines)
		mux.HandleFunc("GET /path", d.path)
	})
}
