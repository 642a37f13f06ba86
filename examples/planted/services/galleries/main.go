// Command galleries crops pictures, and keeps what it has cropped.
package main

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type crop struct{ picture, left, top int }

type gallery struct {
	picture []byte
	cropped sync.Map
}

// cut makes the crop, and keeps it for the next visitor.
func (g *gallery) cut(one crop) []byte {
	if found, ok := g.cropped.Load(one); ok {
		return found.([]byte)
	}
	made := make([]byte, 0, 6<<10)
	for row := range 32 {
		from := (one.top + row) * 512 % (len(g.picture) - 4096)
		made = append(made, g.picture[from+one.left:from+one.left+192]...)
	}
	g.cropped.Store(one, made)
	return made
}

// flipped shifts the rows one by one in front of what it has so far.
func flipped(picture []byte, row int) []byte {
	var turned []byte
	for line := range bytes.SplitAfterSeq(picture, []byte{'\n'}) {
		turned = append(line[:len(line):len(line)], turned...)
		if len(turned) > row {
			break
		}
	}
	return turned
}

func main() {
	host.Serve(55, []host.Call{{Weight: 5, Path: "/pictures/%d/crop", Range: 1_000_000}, {Weight: 2, Path: "/pictures/%d/flipped"}}, func(mux *http.ServeMux) {
		g := &gallery{picture: sample.Bytes(101, 256<<10)}
		text := sample.Text(102, 64<<10)
		mux.HandleFunc("GET /pictures/{number}/crop", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(g.cut(crop{number, number % 300, number % 400})[:400])
		})
		mux.HandleFunc("GET /pictures/{number}/flipped", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(flipped(text, 20<<10)[:400])
		})
	})
}
