// Command phonebooks finds people by the beginning of their name.
package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type phonebook struct {
	sync.RWMutex
	names   []string
	numbers map[string]int
}

// starting counts the names with a beginning.
func (p *phonebook) starting(with string) (count int) {
	p.RLock()
	defer p.RUnlock()
	for _, name := range p.names {
		if strings.HasPrefix(name, with) {
			count += p.numbers[name]
		}
	}
	return count
}

// change gives a name another number.
func (p *phonebook) change(name string, number int) {
	p.Lock()
	defer p.Unlock()
	p.numbers[name] = number
}

func main() {
	host.Serve(40, []host.Call{{Weight: 2, Path: "/names?with=n%d"}, {Weight: 3, Method: http.MethodPut, Path: "/names/n%d"}}, func(mux *http.ServeMux) {
		p := &phonebook{names: sample.Keys("n", 200_000), numbers: make(map[string]int, 200_000)}
		for i, name := range p.names {
			p.numbers[name] = i
		}
		mux.HandleFunc("GET /names", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(p.starting(r.URL.Query().Get("with")[:2])), 10))
		})
		mux.HandleFunc("PUT /names/{name}", func(_ http.ResponseWriter, r *http.Request) { p.change(r.PathValue("name"), 110) })
	})
}
