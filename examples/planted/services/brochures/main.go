// Command brochures draws the pages of brochures, and writes their contents.
package main

import (
	"bytes"
	"image"
	"image/color"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type studio struct{ chapters []string }

// page paints stripes.
func (s *studio) page(width, height int) *image.Gray {
	paper := image.NewGray(image.Rect(0, 0, width, height))
	for y := 0; y < height; y += 16 {
		for x := 0; x < width; x += 4 {
			paper.SetGray(x, y, color.Gray{byte(x)})
		}
	}
	return paper
}

// contents has a line for each chapter.
func (s *studio) contents() []byte {
	list := new(bytes.Buffer)
	for number, chapter := range s.chapters {
		list.WriteString(strconv.Itoa(number))
		list.WriteByte(' ')
		list.WriteString(chapter)
		list.WriteByte('\n')
	}
	return list.Bytes()
}

func main() {
	host.Serve(55, []host.Call{{Weight: 3, Path: "/pages/%d"}, {Weight: 2, Path: "/contents"}}, func(mux *http.ServeMux) {
		s := &studio{chapters: sample.Words(144, 12_000)}
		mux.HandleFunc("GET /pages/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(s.page(600+number%50, 500).Pix[:600])
		})
		mux.HandleFunc("GET /contents", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(s.contents()[:600])
		})
	})
}
