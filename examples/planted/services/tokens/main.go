// Command tokens splits texts for an index.
package main

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type index struct{ stops []string }

// countStops says how many stop words a text has.
func (x *index) countStops(text []byte) int {
	found := 0
	for _, stop := range x.stops {
		if strings.Contains(string(text), stop) {
			found++
		}
	}
	return found
}

// shingles are the pairs of words next to each other.
func (x *index) shingles(text []byte) []string {
	var pairs []string
	words := strings.Fields(string(text))
	for i := 1; i < len(words); i++ {
		pairs = append(pairs, words[i-1]+" "+words[i])
	}
	return pairs
}

func (x *index) add(w http.ResponseWriter, r *http.Request) {
	text := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, text); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(x.countStops(text)+len(x.shingles(text[:200]))), 10))
}

func main() {
	text := sample.Text(7, 24<<10)
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/texts", Body: func(int) []byte { return text }}}, func(mux *http.ServeMux) {
		x := &index{stops: sample.Words(8, 60)}
		mux.HandleFunc("POST /texts", x.add)
	})
}
