// Command spell looks words up in a sorted list.
package main

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type lexicon struct {
	words []string
	text  []byte
}

// unknown counts the words of a text that are not in the list.
func (x *lexicon) unknown(text []byte) int {
	count := 0
	for word := range bytes.FieldsSeq(text) {
		_, found := slices.BinarySearchFunc(x.words, word, func(a string, b []byte) int {
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					return int(a[i]) - int(b[i])
				}
			}
			return len(a) - len(b)
		})
		if !found {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(50, []host.Call{{Path: "/unknown/%d"}}, func(mux *http.ServeMux) {
		x := &lexicon{words: sample.Words(69, 8000), text: sample.Text(70, 100<<10)}
		slices.Sort(x.words)
		x.words = slices.Compact(x.words)
		mux.HandleFunc("GET /unknown/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(x.unknown(x.text[from:from+9000])), 10))
		})
	})
}
