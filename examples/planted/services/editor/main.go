// Command editor applies the changes of several people to a document.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type document struct {
	mu   sync.Mutex
	text []byte
}

// replace puts other letters into the text.
func (d *document) replace(at int, letters string) {
	text := make([]byte, 0, len(d.text))
	text = append(text, d.text[:at]...)
	text = append(text, letters...)
	text = append(text, d.text[at+len(letters):]...)
	d.text = text
}

func (d *document) apply(from int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	for change := range 30 {
		d.replace((from+change*911)%(len(d.text)-10), "edit")
	}
	return len(d.text)
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/changes/%d"}}, func(mux *http.ServeMux) {
		d := &document{text: sample.Text(52, 260<<10)}
		mux.HandleFunc("POST /changes/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(d.apply(from)), 10))
		})
	})
}
