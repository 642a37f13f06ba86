// Command lookups asks a slow registry, with a limit on the time.
package main

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type registry struct {
	mu     sync.Mutex
	owners map[string]string
}

func (g *registry) ask(name string) string {
	time.Sleep(12 * time.Millisecond)
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.owners[name]
}

// owner gives up soon.
func (g *registry) owner(name string) (string, bool) {
	answers := make(chan string)
	go func() { answers <- g.ask(name) }()
	select {
	case answer := <-answers:
		return answer, true
	case <-time.After(5 * time.Millisecond):
		return "", false
	}
}

func (g *registry) serve(w http.ResponseWriter, r *http.Request) {
	if owner, ok := g.owner(r.PathValue("name")); ok {
		_, _ = w.Write([]byte(owner))
		return
	}
	w.WriteHeader(http.StatusGatewayTimeout)
}

func main() {
	host.Serve(60, []host.Call{{Path: "/owner/n%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /owner/{name}", (&registry{owners: map[string]string{}}).serve)
	})
}
