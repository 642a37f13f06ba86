// Command relays copies streams from one place to another.
package main

import (
	"bufio"
	"io"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type relay struct{ lines int }

// pass copies the stream line by line.
func (l *relay) pass(to io.Writer, from io.Reader) error {
	reader := bufio.NewReaderSize(from, 256<<10)
	writer := bufio.NewWriterSize(to, 64<<10)
	for {
		line, err := reader.ReadSlice('\n')
		if _, failure := writer.Write(line); failure != nil {
			return failure
		}
		if err == io.EOF {
			return writer.Flush()
		}
		if err != nil {
			return err
		}
	}
}

func main() {
	stream := sample.Text(60, 3<<10)
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/streams", Body: func(int) []byte { return stream }}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /streams", func(w http.ResponseWriter, r *http.Request) { _ = new(relay).pass(w, r.Body) })
	})
}
