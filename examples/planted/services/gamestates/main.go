// Command gamestates gives players the state of their world.
package main

import (
	"maps"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type world struct {
	mu    sync.RWMutex
	flags map[string]int
}

// all is a copy, so that nobody changes the world by accident.
func (w *world) all() map[string]int {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return maps.Clone(w.flags)
}

func (w *world) set(name string, value int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flags[name] = value
}

func main() {
	host.Serve(65, []host.Call{{Weight: 5, Path: "/flags/flag%d", Range: 3}, {Method: http.MethodPut, Path: "/flags/flag%d", Range: 3}}, func(mux *http.ServeMux) {
		earth := &world{flags: map[string]int{}}
		for i, name := range sample.Keys("flag", 3000) {
			earth.flags[name] = i
		}
		mux.HandleFunc("GET /flags/{name}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(earth.all()[r.PathValue("name")]), 10))
		})
		mux.HandleFunc("PUT /flags/{name}", func(_ http.ResponseWriter, r *http.Request) { earth.set(r.PathValue("name"), 1) })
	})
}
