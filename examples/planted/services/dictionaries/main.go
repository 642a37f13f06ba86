// Command dictionaries translates texts word by word; editors add words now and then.
package main

import (
	"io"
	"net/http"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type dictionary struct {
	mu      sync.RWMutex
	words   map[string]string
	lookups int
}

// translate a word; words that are not known stay as they are.
func (d *dictionary) translate(word string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if translated, ok := d.words[word]; ok {
		return translated
	}
	return word
}

func (d *dictionary) add(word, translated string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.words[word] = translated
}

func (d *dictionary) text(original []string) string {
	sentences := make([]string, 4)
	var group sync.WaitGroup
	for part := range sentences {
		group.Go(func() {
			var out strings.Builder
			out.Grow(12 * len(original) / 4)
			for _, word := range original[part*len(original)/4 : (part+1)*len(original)/4] {
				out.WriteString(d.translate(word))
				out.WriteByte(' ')
			}
			sentences[part] = out.String()
		})
	}
	group.Wait()
	return strings.Join(sentences, ".\n")
}

func main() {
	words := sample.Words(311, 20_000)
	host.Serve(40, []host.Call{{Weight: 30, Path: "/texts/%d"}, {Method: http.MethodPost, Path: "/words/%d"}}, func(mux *http.ServeMux) {
		d := &dictionary{words: map[string]string{}}
		for i, word := range words {
			d.words[word] = words[len(words)-1-i]
		}
		mux.HandleFunc("GET /texts/{text}", func(w http.ResponseWriter, r *http.Request) {
			from := web.Number(r, "text")
			_, _ = io.WriteString(w, d.text(words[from:from+4000]))
		})
		mux.HandleFunc("POST /words/{word}", func(_ http.ResponseWriter, r *http.Request) {
			d.add(r.PathValue("word"), words[web.Number(r, "word")])
		})
	})
}
