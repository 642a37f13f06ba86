// Command pixels changes the colors of pictures.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type picture struct{ points []byte }

// brighten works on short runs of points at the same time.
func (p *picture) brighten(to []byte, by byte) {
	var group sync.WaitGroup
	for from := 0; from < len(p.points); from += 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := from; i < from+8; i++ {
				to[i] = p.points[i] + by
			}
		}()
	}
	group.Wait()
}

func (p *picture) serve(w http.ResponseWriter, r *http.Request) {
	by, _ := strconv.Atoi(r.PathValue("by"))
	to := make([]byte, len(p.points))
	p.brighten(to, byte(by))
	_, _ = w.Write(to[:64])
}

func main() {
	host.Serve(60, []host.Call{{Path: "/brighten/%d"}}, func(mux *http.ServeMux) {
		p := &picture{points: sample.Bytes(19, 16<<10)}
		mux.HandleFunc("GET /brighten/{by}", p.serve)
	})
}
