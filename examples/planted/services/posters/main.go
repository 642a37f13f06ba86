// Command posters draws posters and describes them.
package main

import (
	"image"
	"image/color"
	"net/http"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type studio struct{ words []string }

// description lists what is on a poster.
func (s *studio) description() string {
	var text strings.Builder
	for i, word := range s.words {
		text.WriteString(strconv.Itoa(i))
		text.WriteString(": ")
		text.WriteString(word)
		text.WriteByte('\n')
	}
	return text.String()
}

// draw fills a poster with a gradient.
func (s *studio) draw(width, height int) *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := 0; y < height; y += 8 {
		for x := 0; x < width; x += 8 {
			canvas.SetRGBA(x, y, color.RGBA{byte(x), byte(y), 90, 255})
		}
	}
	return canvas
}

func main() {
	host.Serve(50, []host.Call{{Path: "/description"}, {Path: "/poster"}}, func(mux *http.ServeMux) {
		s := &studio{words: sample.Words(56, 9000)}
		mux.HandleFunc("GET /description", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(s.description()[:500]))
		})
		mux.HandleFunc("GET /poster", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(s.draw(400, 300).Pix[:500])
		})
	})
}
