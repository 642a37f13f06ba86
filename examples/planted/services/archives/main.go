// Command archives reads the records of several years, whose volumes must not be moved meanwhile.
package main

import (
	"net/http"
	"sync/atomic"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type volume struct {
	readers atomic.Int32
	pages   []int
}

func (v *volume) open() []int {
	v.readers.Add(1)
	return v.pages
}

func (v *volume) close() { v.readers.Add(-1) }

type shelf []*volume

// mentions counts the pages that name a person, in all volumes of the years asked for.
func (s shelf) mentions(person, from, to int) (count int) {
	for _, one := range s[from:to] {
		pages := one.open()
		defer one.close()
		for _, name := range pages {
			if name == person {
				count++
			}
		}
	}
	return count
}

func newShelf() shelf {
	names := sample.Numbers(161, 60_000, 800)
	var s shelf
	for len(names) > 0 {
		s = append(s, &volume{pages: names[:4]})
		names = names[4:]
	}
	return s
}

func main() {
	s := newShelf()
	find := func(w http.ResponseWriter, r *http.Request) error {
		person := web.Number(r, "person")
		from := person % (len(s) / 2)
		return web.Count(w, s.mentions(person%800, from, from+len(s)/3))
	}
	host.Run(host.Service{
		Everyday: 55,
		Calls:    []host.Call{{Path: "/people/%d/mentions"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.Handle("GET /people/{person}/mentions", web.Handler(find)) },
	})
}
