// Command copies receives files and stores them through a buffer that is used again.
package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type disk struct {
	mu      sync.Mutex
	file    *os.File
	writer  *bufio.Writer
	buffers sync.Pool
}

func (d *disk) receive(body io.Reader) (int64, error) {
	buffer := d.buffers.Get().(*[32 << 10]byte)
	defer d.buffers.Put(buffer)
	total := int64(0)
	for {
		n, err := body.Read(buffer[:])
		if failure := d.append(buffer[:n]); failure != nil {
			return total, failure
		}
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// append writes to the end of the file, which begins again at 64 MB.
func (d *disk) append(part []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.writer.Write(part); err != nil {
		return err
	}
	if at, err := d.file.Seek(0, io.SeekCurrent); err == nil && at > 64<<20 {
		_, err := d.file.Seek(0, io.SeekStart)
		return err
	}
	return nil
}

func main() {
	file := sample.Bytes(72, 150<<10)
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/files", Body: func(int) []byte { return file }}}, func(mux *http.ServeMux) {
		out, err := os.CreateTemp("", "copies-*")
		if err != nil {
			panic(err)
		}
		_ = os.Remove(out.Name())
		d := &disk{file: out, writer: bufio.NewWriterSize(out, 1<<20)}
		d.buffers.New = func() any { return new([32 << 10]byte) }
		mux.HandleFunc("POST /files", func(w http.ResponseWriter, r *http.Request) {
			total, err := d.receive(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, total, 10))
		})
	})
}
