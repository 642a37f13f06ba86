// Command dedupe stores the pieces of files only once.
package main

import (
	"crypto/sha512"
	"io"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const pieceSize = 512

type key = [sha512.Size]byte

type pieces struct {
	mu    sync.Mutex
	known map[key]int
}

// add counts the pieces that were not there before.
func (p *pieces) add(file []byte) (added int) {
	for len(file) > 0 {
		size := min(pieceSize, len(file))
		name := sha512.Sum512(file[:size])
		file = file[size:]
		p.mu.Lock()
		if p.known[name]++; p.known[name] == 1 {
			added++
		}
		p.mu.Unlock()
	}
	return added
}

func main() {
	file := sample.Bytes(321, 16<<10)
	host.Serve(65, []host.Call{{Method: http.MethodPut, Path: "/files/%d", Body: func(int) []byte { return file }}}, func(mux *http.ServeMux) {
		p := &pieces{known: map[key]int{}}
		buffers := sync.Pool{New: func() any { return new([16 << 10]byte) }}
		mux.HandleFunc("PUT /files/{number}", func(w http.ResponseWriter, r *http.Request) {
			buffer := buffers.Get().(*[16 << 10]byte)
			defer buffers.Put(buffer)
			size, _ := io.ReadFull(r.Body, buffer[:])
			_, _ = w.Write(strconv.AppendInt(nil, int64(p.add(buffer[:size])), 10))
		})
	})
}
