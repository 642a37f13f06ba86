// Command manifests writes the papers of ships and seals them.
package main

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type container struct {
	id    string
	tons  int
	goods string
}

type ship struct{ containers []container }

// manifest has a line per container.
func (s *ship) manifest(port int) string {
	text := "port " + strconv.Itoa(port) + "\n"
	for _, one := range s.containers {
		text = text + one.id + ";" + one.goods + ";" + strconv.Itoa(one.tons) + "\n"
	}
	return text
}

// seal is the sum that customs compare: of each line, and of all.
func seal(lines string) string {
	sum := md5.New()
	var last [md5.Size]byte
	for len(lines) > 0 {
		size := min(8, len(lines))
		sum.Write(last[:])
		sum.Write([]byte(lines[:size]))
		sum.Sum(last[:0])
		lines = lines[size:]
	}
	return hex.EncodeToString(last[:])
}

func main() {
	host.Serve(60, []host.Call{{Path: "/ports/%d/manifest", Range: 60}}, func(mux *http.ServeMux) {
		s := &ship{}
		goods := sample.Words(363, 110)
		for i, id := range sample.Keys("MSKU", 110) {
			s.containers = append(s.containers, container{id, i % 30, goods[i]})
		}
		mux.HandleFunc("GET /ports/{port}/manifest", func(w http.ResponseWriter, r *http.Request) {
			port, _ := strconv.Atoi(r.PathValue("port"))
			_, _ = w.Write([]byte(seal(s.manifest(port))))
		})
	})
}
