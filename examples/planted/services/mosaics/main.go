// Command mosaics joins tiles to large pictures.
package main

import (
	"bytes"
	"encoding/binary"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type tile struct{ pixels []byte }

type wall struct{ tiles []tile }

// picture has a header, and the rows of the tiles one after another.
func (a *wall) picture(width, height int) *bytes.Buffer {
	var out bytes.Buffer
	out.WriteString("MOSAIC1\n")
	for _, size := range []int{width, height} {
		_ = binary.Write(&out, binary.LittleEndian, uint32(size))
	}
	for y := range height {
		for x := range width {
			out.Write(a.tiles[(y*width+x*3)%len(a.tiles)].pixels)
		}
	}
	return &out
}

// preview has every other pixel of every other tile.
func (a *wall) preview(width, height int) []byte {
	small := make([]byte, 0, width*height*768/4)
	for y := 0; y < height; y += 2 {
		for x := 0; x < width; x++ {
			pixels := a.tiles[(y*width+x*3)%len(a.tiles)].pixels
			for i := 0; i < len(pixels); i += 2 {
				small = append(small, pixels[i])
			}
		}
	}
	return small
}

func (a *wall) servePreview(w http.ResponseWriter, r *http.Request) {
	size := 16 + len(r.PathValue("name"))
	_, _ = w.Write(a.preview(size, size))
}

func (a *wall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	size := 12 + len(r.PathValue("name"))
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = a.picture(size, size).WriteTo(w)
}

func main() {
	a := &wall{}
	for i := range 64 {
		a.tiles = append(a.tiles, tile{sample.Bytes(uint64(i), 768)})
	}
	host.Serve(60, []host.Call{{Path: "/mosaics/%d"}, {Weight: 4, Path: "/previews/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /mosaics/{name}", a)
		mux.HandleFunc("GET /previews/{name}", a.servePreview)
	})
}
