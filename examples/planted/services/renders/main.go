// Command renders draws floor plans.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type canvas struct {
	width  int
	pixels []uint32
}

// blank is as large as the largest plan.
func blank() *canvas { return &canvas{900, make([]uint32, 900*900)} }

func (c *canvas) wall(x, y, length int) {
	for i := range length {
		c.pixels[y*c.width+x+i] = 0xff
	}
}

func (c *canvas) ink() (count int) {
	for _, pixel := range c.pixels[:c.width*60] {
		if pixel != 0 {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(80, []host.Call{{Path: "/plans/%d"}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /plans/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			plan := blank()
			for room := range 12 {
				plan.wall(number%300+room, room*4, 200)
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(plan.ink()), 10))
		})
	})
}
