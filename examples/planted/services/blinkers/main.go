// Command blinkers switches the lights of crossings.
package main

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type crossing struct {
	wanted atomic.Int32
	shown  atomic.Int32
}

// watch switches the light when somebody has asked for it.
func (c *crossing) watch() {
	for {
		if wanted := c.wanted.Load(); wanted != c.shown.Load() {
			c.shown.Store(wanted)
		}
		time.Sleep(500 * time.Microsecond)
	}
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPut, Path: "/crossings/%d"}}, func(mux *http.ServeMux) {
		crossings := make([]crossing, 30)
		for i := range crossings {
			go crossings[i].watch()
		}
		mux.HandleFunc("PUT /crossings/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			crossings[number%len(crossings)].wanted.Store(int32(number % 3))
		})
	})
}
