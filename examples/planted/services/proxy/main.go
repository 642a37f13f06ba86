// Command proxy compresses what it passes on, at the fastest level.
package main

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type proxy struct {
	pages   [][]byte
	writers sync.Pool
}

func newProxy() *proxy {
	p := &proxy{pages: make([][]byte, 20)}
	for i := range p.pages {
		p.pages[i] = sample.Text(uint64(i), 40<<10)
	}
	p.writers.New = func() any {
		writer, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		return writer
	}
	return p
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("page"))
	w.Header().Set("Content-Encoding", "gzip")
	writer := p.writers.Get().(*gzip.Writer)
	defer p.writers.Put(writer)
	writer.Reset(w)
	_, _ = writer.Write(p.pages[number%len(p.pages)])
	_ = writer.Close()
}

func main() {
	host.Serve(30, []host.Call{{Path: "/page/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /page/{page}", newProxy().serve)
	})
}
