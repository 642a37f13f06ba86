// Command ledgerbooks reads the lines of books, and reads whole books to copy them.
package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const bookMax = 1 << 20

type reader struct{ size int }

// lines counts those of a part of a book.
func (r reader) lines(part []byte) (count int) {
	scan := bufio.NewReaderSize(bytes.NewReader(part), r.size)
	for {
		if _, err := scan.ReadSlice('\n'); err != nil {
			return count
		}
		count++
	}
}

// duplicate returns the size of an uploaded book.
func duplicate(book io.Reader) (int, error) {
	content, err := io.ReadAll(io.LimitReader(book, bookMax))
	return len(content), err
}

func main() {
	body := sample.Text(145, 90<<10)
	host.Serve(50, []host.Call{
		{Weight: 3, Path: "/books/%d/lines"},
		{Weight: 1, Method: http.MethodPost, Path: "/books", Body: func(int) []byte { return body }},
	}, func(mux *http.ServeMux) {
		one := reader{size: 128 << 10}
		mux.HandleFunc("GET /books/{number}/lines", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(one.lines(body[:1000+number])), 10))
		})
		mux.HandleFunc("POST /books", func(w http.ResponseWriter, r *http.Request) {
			size, err := duplicate(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(size), 10))
		})
	})
}
