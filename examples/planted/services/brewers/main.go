// Command brewers sends the temperatures of a brew as packed lines.
package main

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type sheet struct {
	packer *gzip.Writer
	lines  []byte
}

var sheets = sync.Pool{New: func() any {
	packer, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return &sheet{packer: packer}
}}

type brew struct{ degrees []int }

func (b *brew) send(w http.ResponseWriter, from int) error {
	s := sheets.Get().(*sheet)
	defer sheets.Put(s)
	s.lines = s.lines[:0]
	for i, degrees := range b.degrees[from : from+1500] {
		s.lines = strconv.AppendInt(s.lines, int64(from+i), 10)
		s.lines = append(s.lines, ',')
		s.lines = strconv.AppendInt(s.lines, int64(smooth(b.degrees[from+i:from+i+24], degrees)), 10)
		s.lines = append(s.lines, '\n')
	}
	w.Header().Set("Content-Encoding", "gzip")
	s.packer.Reset(w)
	if _, err := s.packer.Write(s.lines); err != nil {
		return err
	}
	return s.packer.Close()
}

// smooth is the mean of the values after one, weighted by their distance to it.
func smooth(after []int, value int) int {
	sum, weights := value*32, 32
	for i, one := range after {
		sum += one * (24 - i)
		weights += 24 - i
	}
	return sum / weights
}

func main() {
	b := &brew{sample.Numbers(441, 12_000, 100)}
	host.Serve(50, []host.Call{{Path: "/brews/%d/sheet"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /brews/{brew}/sheet", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return b.send(w, web.Number(r, "brew"))
		}))
	})
}
