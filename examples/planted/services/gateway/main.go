// Command gateway passes requests on, and writes what it does to a log.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	"example.com/services/internal/host"
)

// journal is a file that reaches the disk before the next line.
type journal struct{ file *os.File }

func (j *journal) Write(line []byte) (int, error) {
	n, err := j.file.Write(line)
	if err != nil {
		return n, err
	}
	return n, j.file.Sync()
}

type gateway struct{ log *log.Logger }

func (g *gateway) forward(part int, path string) {
	g.log.Printf("part %d of %s is passed on", part, path)
}

func (g *gateway) serve(w http.ResponseWriter, r *http.Request) {
	var group sync.WaitGroup
	for part := range 6 {
		group.Go(func() { g.forward(part, r.URL.Path) })
	}
	group.Wait()
	_, _ = io.WriteString(w, "passed on")
}

func main() {
	host.Serve(60, []host.Call{{Path: "/service/%d"}}, func(mux *http.ServeMux) {
		file, err := os.CreateTemp("", "gateway-*.log")
		if err != nil {
			log.Fatal(err)
		}
		_ = os.Remove(file.Name())
		g := &gateway{log: log.New(&journal{file}, "", log.LstdFlags)}
		mux.HandleFunc("GET /service/{path}", g.serve)
	})
}
