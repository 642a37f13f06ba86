// Command titles remembers the titles of documents that it was sent.
package main

import (
	"bytes"
	"io"
	"net/http"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const titlesMax = 1500

type titles struct {
	mu   sync.Mutex
	list [][]byte
	next int
}

func firstLine(document []byte) []byte {
	line, _, _ := bytes.Cut(document, []byte("\n"))
	return line
}

func (t *titles) remember(title []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) < titlesMax {
		t.list = append(t.list, title)
		return
	}
	t.list[t.next%titlesMax] = title
	t.next++
}

// readDocument reads what the client says is there.
func readDocument(r *http.Request) ([]byte, error) {
	document := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, document)
	return document, err
}

func (t *titles) add(w http.ResponseWriter, r *http.Request) {
	document, err := readDocument(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.remember(firstLine(document))
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	document := sample.Text(28, 28<<10)
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/documents", Body: func(int) []byte { return document }}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /documents", new(titles).add)
	})
}
