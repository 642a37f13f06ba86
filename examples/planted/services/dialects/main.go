// Command dialects finds words whatever their spelling.
package main

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type lexicon struct{ words []string }

// count counts the words that sound like the given one.
func (l *lexicon) count(word string) int {
	count := 0
	for _, known := range l.words {
		if soundsLike(known, word) {
			count++
		}
	}
	return count
}

func soundsLike(a, b string) bool {
	return strings.ToUpper(strings.ReplaceAll(a, "ph", "f")) == strings.ToUpper(strings.ReplaceAll(b, "ph", "f"))
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodGet, Path: "/words?like=Alpha%d", Range: 40}}, func(mux *http.ServeMux) {
		l := &lexicon{words: sample.Words(21, 900)}
		mux.HandleFunc("GET /words", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(w, l.count(r.URL.Query().Get("like")))
		})
	})
}
