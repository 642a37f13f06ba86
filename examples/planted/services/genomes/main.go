// Command genomes keeps a family tree of samples and answers how two of them are related.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

// specimen points to its parents, as far as they are in the collection.
type specimen struct {
	name           string
	mother, father *specimen
	markers        []*marker
}

type marker struct {
	position int
	allele   *string
}

type collection struct {
	all     []*specimen
	alleles []string
}

func newCollection() *collection {
	c := &collection{alleles: sample.Words(91, 40)}
	for i, name := range sample.Keys("specimen ", 30_000) {
		one := &specimen{name: name}
		if i > 2 {
			one.mother, one.father = c.all[i/2], c.all[i/3]
		}
		for at := range 5 {
			one.markers = append(one.markers, &marker{at * i, &c.alleles[(at+i)%40]})
		}
		c.all = append(c.all, one)
	}
	return c
}

// path is a way up the tree.
type path struct {
	to    *specimen
	below *path
	depth *int
}

// ancestors are found breadth first.
func (c *collection) ancestors(of *specimen, generations int) map[*specimen]*path {
	found := map[*specimen]*path{}
	next := []*path{{to: of, depth: new(int)}}
	for len(next) > 0 {
		one := next[0]
		next = next[1:]
		if _, ok := found[one.to]; ok || *one.depth > generations {
			continue
		}
		found[one.to] = one
		for _, parent := range []*specimen{one.to.mother, one.to.father} {
			if parent != nil {
				next = append(next, &path{parent, one, new(*one.depth + 1)})
			}
		}
	}
	return found
}

// related is the number of ancestors that two have in common.
func (c *collection) related(a, b *specimen) (shared int) {
	left, right := c.ancestors(a, 12), c.ancestors(b, 12)
	for one := range left {
		if right[one] != nil {
			shared++
		}
	}
	return shared
}

// closest of the specimens that were taken on the same day.
func (c *collection) closest(to, day int) (found int) {
	most := -1
	for other := day; other < day+5; other++ {
		if shared := c.related(c.all[to], c.all[other]); shared > most {
			most, found = shared, other
		}
	}
	return found
}

func main() {
	host.Serve(30, []host.Call{{Path: "/specimens/%d/closest", Range: 29_000}}, func(mux *http.ServeMux) {
		c := newCollection()
		mux.Handle("GET /specimens/{number}/closest", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			number := web.Number(r, "number")
			return web.Count(w, c.closest(number, number/3))
		}))
	})
}
