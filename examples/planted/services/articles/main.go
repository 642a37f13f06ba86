// Command articles serves encyclopedia pages, compressed and with a tag for caches.
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type article struct {
	text     []byte
	pictures []byte
}

type library struct {
	articles []article
	writers  sync.Pool
}

func newLibrary() *library {
	l := &library{articles: make([]article, 12)}
	for i := range l.articles {
		l.articles[i] = article{text: sample.Text(uint64(i), 9<<10), pictures: sample.Bytes(uint64(i), 1600<<10)}
	}
	l.writers.New = func() any {
		writer, _ := gzip.NewWriterLevel(nil, gzip.BestCompression)
		return writer
	}
	return l
}

// tag identifies what an article looks like at the moment.
func (l *library) tag(one *article) string {
	sum := sha256.New()
	sum.Write(one.text)
	sum.Write(one.pictures)
	return hex.EncodeToString(sum.Sum(nil))
}

func (l *library) send(w http.ResponseWriter, text []byte) error {
	writer := l.writers.Get().(*gzip.Writer)
	defer l.writers.Put(writer)
	writer.Reset(w)
	if _, err := writer.Write(text); err != nil {
		return err
	}
	return writer.Close()
}

func (l *library) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	one := &l.articles[number%len(l.articles)]
	w.Header().Set("ETag", l.tag(one))
	w.Header().Set("Content-Encoding", "gzip")
	_ = l.send(w, one.text)
}

func main() {
	host.Serve(40, []host.Call{{Path: "/article/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /article/{number}", newLibrary().serve)
	})
}
