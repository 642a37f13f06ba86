// Command sitemaps lists the pages of shops for search engines.
package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type shop struct {
	pages []string
	text  []byte
}

// list writes the addresses of all pages, packed as crawlers like it.
func (s *shop) list(w io.Writer) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packed.Write(s.text); err != nil {
		return err
	}
	return packed.Close()
}

func main() {
	host.Serve(75, []host.Call{{Path: "/sitemap/%d"}}, func(mux *http.ServeMux) {
		s := &shop{pages: sample.Keys("article-", 300)}
		for i, page := range s.pages {
			s.text = append(s.text, "<url><loc>https://shop.example/"+page+"</loc><priority>0."+strconv.Itoa(i%9)+"</priority></url>\n"...)
		}
		mux.HandleFunc("GET /sitemap/{number}", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_ = s.list(w)
		})
	})
}
