// Command uploads takes files and compresses answers about them.
package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type shelf struct{ pages [][]byte }

// lines counts the lines of an upload.
func lines(r io.Reader) (int, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, char := range content {
		if char == '\n' {
			count++
		}
	}
	return count, nil
}

func upload(w http.ResponseWriter, r *http.Request) {
	count, err := lines(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
}

func (s *shelf) page(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	compressed(w, s.pages[number%len(s.pages)])
}

func compressed(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Encoding", "gzip")
	writer, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	defer writer.Close()
	_, _ = writer.Write(text)
}

func main() {
	file := sample.Text(29, 220<<10)
	host.Serve(50, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/files", Body: func(int) []byte { return file }}, {Weight: 3, Path: "/pages/%d"}}, func(mux *http.ServeMux) {
		s := &shelf{}
		for i := range 8 {
			s.pages = append(s.pages, sample.Text(uint64(i), 3<<10))
		}
		mux.HandleFunc("POST /files", upload)
		mux.HandleFunc("GET /pages/{number}", s.page)
	})
}
