// Command backups packs the states of documents.
package main

import (
	"bytes"
	"compress/zlib"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type codec interface {
	pack(to io.Writer, content []byte) error
}

type small struct{}

func (small) pack(to io.Writer, content []byte) error {
	writer, err := zlib.NewWriterLevel(to, 9)
	if err != nil {
		return err
	}
	if _, err := writer.Write(content); err != nil {
		return err
	}
	return writer.Close()
}

type backup struct {
	states [][]byte
	codec  codec
}

func (b *backup) store(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	var packed bytes.Buffer
	packed.Grow(16 << 10)
	if err := b.codec.pack(&packed, b.states[number%len(b.states)]); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(packed.Len()), 10))
}

func main() {
	host.Serve(92, []host.Call{{Method: http.MethodPost, Path: "/states/%d"}}, func(mux *http.ServeMux) {
		b := &backup{codec: small{}}
		for i := range 6 {
			b.states = append(b.states, sample.Text(uint64(i)+50, 40<<10))
		}
		mux.HandleFunc("POST /states/{number}", b.store)
	})
}
