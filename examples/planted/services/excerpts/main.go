// Command excerpts shows the first lines of articles that were sent in.
package main

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type desk struct {
	mu     sync.Mutex
	titles map[int]string
}

// receive keeps the title of an article.
func (d *desk) receive(number int, article io.Reader) error {
	text := &strings.Builder{}
	if _, err := io.Copy(text, article); err != nil {
		return err
	}
	title, _, _ := strings.Cut(text.String(), "\n")
	d.mu.Lock()
	defer d.mu.Unlock()
	d.titles[number] = title
	return nil
}

func main() {
	article := sample.Text(336, 30_000)
	host.Serve(70, []host.Call{{Method: http.MethodPut, Path: "/articles/%d", Range: 4000, Body: func(int) []byte { return article }}}, func(mux *http.ServeMux) {
		d := &desk{titles: map[int]string{}}
		mux.HandleFunc("PUT /articles/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			if err := d.receive(number, r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			}
		})
	})
}
