// Command directory keeps answers about people, companies and places at hand.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type profile struct {
	name    string
	summary []byte
	links   []string
}

type directory struct {
	mu      sync.RWMutex
	answers map[string]*profile
	names   []string
}

func (d *directory) lookup(query string) *profile {
	d.mu.RLock()
	found := d.answers[query]
	d.mu.RUnlock()
	if found != nil {
		return found
	}
	made := d.build(query)
	d.mu.Lock()
	d.answers[query] = made
	d.mu.Unlock()
	return made
}

func (d *directory) build(query string) *profile {
	summary := make([]byte, 0, 24<<10)
	for i := 0; len(summary) < 23<<10; i++ {
		summary = append(summary, d.names[(i*len(query))%len(d.names)]...)
		summary = append(summary, ' ')
	}
	links := make([]string, 0, 40)
	for i := range 40 {
		links = append(links, "/people/"+strconv.Itoa(i)+"?q="+query)
	}
	return &profile{name: query, summary: summary, links: links}
}

func (d *directory) serve(w http.ResponseWriter, r *http.Request) {
	found := d.lookup(r.URL.RawQuery)
	_, _ = w.Write(found.summary[:200])
}

func main() {
	host.Serve(45, []host.Call{{Path: "/find?q=person-%d&page=1", Range: 1 << 30}}, func(mux *http.ServeMux) {
		d := &directory{answers: map[string]*profile{}, names: sample.Words(3, 500)}
		mux.HandleFunc("GET /find", d.serve)
	})
}
