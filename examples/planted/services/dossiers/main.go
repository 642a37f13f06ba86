// Command dossiers sends the files of patients, packed, with the newest page in front.
package main

import (
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type page struct{ text [480]byte }

type dossier struct {
	mu    sync.Mutex
	pages []page
}

// insert puts the newest page in front, and drops the oldest.
func (d *dossier) insert(one page) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pages = slices.Insert(d.pages[:len(d.pages)-1], 0, one)
	return len(d.pages)
}

// packed writes what it gets in packed form.
type packed struct {
	http.ResponseWriter
	to *zlib.Writer
}

func (p packed) Write(text []byte) (int, error) { return p.to.Write(text) }

func pack(next func(w io.Writer, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "deflate")
		to, err := zlib.NewWriterLevel(w, 8)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer to.Close()
		next(packed{w, to}, r)
	}
}

func main() {
	host.Serve(60, []host.Call{{Path: "/dossiers/%d"}, {Weight: 6, Method: http.MethodPost, Path: "/dossiers/%d"}}, func(mux *http.ServeMux) {
		d := &dossier{pages: make([]page, 3000)}
		for i := range d.pages {
			copy(d.pages[i].text[:], sample.Text(uint64(i), 400))
		}
		mux.HandleFunc("GET /dossiers/{number}", pack(func(w io.Writer, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			for i := range 12 {
				_, _ = w.Write(sample.Text(uint64(number%7+i), 400))
			}
		}))
		mux.HandleFunc("POST /dossiers/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := page{}
			copy(one.text[:], r.PathValue("number"))
			one.text[number%len(one.text)]++
			_, _ = w.Write(strconv.AppendInt(nil, int64(d.insert(one)), 10))
		})
	})
}
