// Command mailrooms sorts the post of a company by floor.
package main

import (
	"net/http"
	"sync/atomic"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type letter struct{ room, grams int }

type cart struct {
	letters chan letter
	grams   *atomic.Int64
	emptied chan struct{}
}

// deliver empties a cart while it is filled.
func (c *cart) deliver() {
	for one := range c.letters {
		c.grams.Add(int64(one.grams))
		if one.room == 0 {
			c.emptied <- struct{}{}
		}
	}
}

func sort(post []letter) int64 {
	var grams atomic.Int64
	floors := make([]*cart, 3)
	for i := range floors {
		floors[i] = &cart{make(chan letter, 8), &grams, make(chan struct{}, 1)}
		go floors[i].deliver()
	}
	for _, one := range post {
		floors[one.room/100%3].letters <- one
	}
	// The last letter of each floor is for its kitchen.
	for _, floor := range floors {
		floor.letters <- letter{}
		<-floor.emptied
	}
	return grams.Load()
}

func main() {
	host.Serve(65, []host.Call{{Method: http.MethodPost, Path: "/bags/%d"}}, func(mux *http.ServeMux) {
		mux.Handle("POST /bags/{bag}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			bag := web.Number(r, "bag")
			post := make([]letter, 24)
			for i := range post {
				post[i] = letter{1 + bag*(i+1)%299, 10 + i}
			}
			return web.Count(w, int(sort(post)))
		}))
	})
}
