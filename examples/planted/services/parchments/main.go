// Command parchments sends scanned charters and their transcriptions, packed.
package main

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"io"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type archive struct {
	charters    [][]byte
	transcripts []string
}

// charter is packed as small as possible.
func (a *archive) charter(w io.Writer, number int) error {
	packer, err := flate.NewWriter(w, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packer.Write(a.charters[number%len(a.charters)]); err != nil {
		return err
	}
	return packer.Close()
}

// card is the line of the catalogue.
func (a *archive) card(w io.Writer, number int) error {
	lines := bufio.NewWriterSize(w, 48<<10)
	packer := gzip.NewWriter(lines)
	if _, err := io.WriteString(packer, a.transcripts[number%len(a.transcripts)]); err != nil {
		return err
	}
	if err := packer.Close(); err != nil {
		return err
	}
	return lines.Flush()
}

func newArchive() *archive {
	a := &archive{transcripts: sample.Words(41, 300)}
	for i := range uint64(12) {
		a.charters = append(a.charters, sample.Text(i, 14<<10))
	}
	return a
}

func main() {
	a := newArchive()
	send := func(encoding string, write func(io.Writer, int) error) http.Handler {
		return web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Content-Encoding", encoding)
			return write(w, web.Number(r, "number"))
		})
	}
	host.Serve(40, []host.Call{{Path: "/charters/%d"}, {Weight: 2, Path: "/cards/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /charters/{number}", send("deflate", a.charter))
		mux.Handle("GET /cards/{number}", send("gzip", a.card))
	})
}
