// Command geohash finds the nearest shop, in a grid that is made once.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type shop struct {
	Name string `json:"name"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
}

const cells = 64

type grid [cells * cells][]shop

func (g *grid) nearest(x, y int) (best shop) {
	least := -1
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			column, row := x/16+dx, y/16+dy
			if column < 0 || row < 0 || column >= cells || row >= cells {
				continue
			}
			for _, one := range g[row*cells+column] {
				if far := (one.X-x)*(one.X-x) + (one.Y-y)*(one.Y-y); least < 0 || far < least {
					least, best = far, one
				}
			}
		}
	}
	return best
}

func main() {
	host.Serve(50, []host.Call{{Path: "/nearest/%d", Range: 1024 * 1024}}, func(mux *http.ServeMux) {
		g := &grid{}
		for i := range 60_000 {
			x, y := i*7919%1024, i*104729%1024
			cell := y/16*cells + x/16
			g[cell] = append(g[cell], shop{"shop " + strconv.Itoa(i), x, y})
		}
		mux.HandleFunc("GET /nearest/{at}", func(w http.ResponseWriter, r *http.Request) {
			at, _ := strconv.Atoi(r.PathValue("at"))
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(g.nearest(at%1024, at/1024))
		})
	})
}
