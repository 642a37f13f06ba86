// Command avatars draws pictures for people who have none.
package main

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type studio struct{ drawn sync.Map }

// picture is drawn once for each name and size.
func (s *studio) picture(name string) []byte {
	if done, ok := s.drawn.Load(name); ok {
		return done.([]byte)
	}
	done := draw(name)
	s.drawn.Store(name, done)
	return done
}

// draw fills a square with a pattern.
func draw(name string) []byte {
	pixels := make([]byte, 0, 64*64)
	for at := range 64 * 64 {
		pixels = append(pixels, name[at%len(name)]^byte(at))
	}
	return pixels
}

// page shows pictures in text, for terminals.
func page(pictures [][]byte) []byte {
	var text bytes.Buffer
	for _, one := range pictures {
		for _, pixel := range one {
			text.WriteString(strconv.Itoa(int(pixel)))
			text.WriteByte(' ')
		}
		text.WriteByte('\n')
	}
	return text.Bytes()
}

func main() {
	host.Serve(50, []host.Call{{Weight: 4, Path: "/avatars/person%d", Range: 900_000}, {Path: "/pages/%d"}}, func(mux *http.ServeMux) {
		s := &studio{}
		mux.HandleFunc("GET /avatars/{name}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(s.picture(r.PathValue("name")))
		})
		mux.HandleFunc("GET /pages/{number}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(page([][]byte{s.picture("ann"), s.picture("bob"), s.picture("cleo")}))
		})
	})
}
