// Command glossaries counts the terms of texts.
package main

import (
	"net/http"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type glossary struct {
	meanings map[string]string
	texts    []string
}

// explained is the length of all explanations that a text needs.
func (g *glossary) explained(text string) (length int) {
	seen := make(map[string]bool, 32)
	for _, word := range strings.Fields(text) {
		if !seen[word] {
			seen[word] = true
			length += len(g.meanings[word])
		}
	}
	return length
}

func main() {
	host.Serve(55, []host.Call{{Path: "/texts/%d"}}, func(mux *http.ServeMux) {
		g := &glossary{meanings: map[string]string{}}
		for i, word := range sample.Words(326, 4000) {
			g.meanings[word] = strconv.Itoa(i)
		}
		for i := range 40 {
			g.texts = append(g.texts, string(sample.Text(uint64(327+i), 4000)))
		}
		mux.HandleFunc("GET /texts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(g.explained(g.texts[number%len(g.texts)])), 10))
		})
	})
}
