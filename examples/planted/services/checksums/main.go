// Command checksums tells the checksums of uploaded files: that is its task.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

var buffers = sync.Pool{New: func() any { return &[64 << 10]byte{} }}

func checksum(w http.ResponseWriter, r *http.Request) {
	buffer := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buffer)
	sum := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, r.Body, buffer[:]); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum.Sum(nil))
	_, _ = w.Write(text[:])
}

func main() {
	file := sample.Bytes(6, 500<<10)
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/checksum", Body: func(int) []byte { return file }}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /checksum", checksum)
	})
}
