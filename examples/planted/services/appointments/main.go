// Command appointments finds times at which all guests of a meeting are free.
package main

import (
	"math/bits"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

// week has a bit for each quarter of an hour.
type week [11]uint64

type office struct{ people []week }

func newOffice() *office {
	o := &office{people: make([]week, 4000)}
	for i, slot := range sample.Numbers(401, 4000*60, 7*96) {
		o.people[i%4000][slot/64] |= 1 << (slot % 64)
	}
	return o
}

// gaps counts the free quarters of each group of guests around the first one.
func (o *office) gaps(first int) (free int) {
	for size := range 300 {
		busy := o.people[first%3600]
		for _, guest := range o.people[first%3600 : first%3600+size] {
			for i := range busy {
				busy[i] |= guest[i]
			}
		}
		for _, word := range busy {
			free += bits.OnesCount64(^word)
		}
	}
	return free
}

func main() {
	o := newOffice()
	host.Serve(50, []host.Call{{Path: "/meetings/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /meetings/{first}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, o.gaps(web.Number(r, "first")))
		}))
	})
}
