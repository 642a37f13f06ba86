// Command badges sends the badges of a conference in small archives.
package main

import (
	"bytes"
	"compress/zlib"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type press struct{ sheets [][]byte }

// squeeze makes a sheet as small as it gets.
func (p *press) squeeze(number int) ([]byte, error) {
	var packed bytes.Buffer
	packed.Grow(4 << 10)
	writer, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(p.sheets[number%len(p.sheets)]); err != nil {
		return nil, err
	}
	err = writer.Close()
	return packed.Bytes(), err
}

func main() {
	host.Serve(60, []host.Call{{Path: "/badges/%d"}}, func(mux *http.ServeMux) {
		p := &press{}
		for i := range 30 {
			p.sheets = append(p.sheets, sample.Text(uint64(i), 12<<10))
		}
		mux.HandleFunc("GET /badges/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			packed, err := p.squeeze(number)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(packed)
		})
	})
}
