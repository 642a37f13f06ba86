// Command panoramas lets a visitor look around from a summit, with a picture for each that is open.
package main

import (
	"net/http"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

const (
	width, height = 1200, 400
	summitsMax    = 32
)

// view is a picture with the height of the ground at each point.
type view struct {
	summit int
	ground []float64
}

// terrain has the heights of the whole region, in squares of 32 KB.
type terrain [][]int16

const squareSize = 1 << 14

func survey() (region terrain) {
	heights := sample.Numbers(221, squareSize, 1900)
	for number := range 2400 {
		square := make([]int16, squareSize)
		for i := range square {
			square[i] = int16(heights[(i+number)%squareSize])
		}
		region = append(region, square)
	}
	return region
}

func (t terrain) render(summit int) *view {
	v := &view{summit, make([]float64, width*height)}
	for y := 0; y < height; y += 4 {
		square := t[(summit*40+y)%len(t)]
		for x := 0; x < width; x += 4 {
			v.ground[y*width+x] = float64(square[x*y%squareSize])
		}
	}
	return v
}

// open views are replaced in turn.
type office struct {
	mu   sync.Mutex
	open [summitsMax]*view
	land terrain
}

func (o *office) at(summit int) *view {
	o.mu.Lock()
	defer o.mu.Unlock()
	place := &o.open[summit%summitsMax]
	if *place == nil || (*place).summit != summit {
		*place = o.land.render(summit)
	}
	return *place
}

func (v *view) highest(column int) (most int) {
	for y := range height {
		most = max(most, int(v.ground[y*width+column%width]))
	}
	return most
}

func main() {
	o := &office{land: survey()}
	host.Serve(70, []host.Call{{Path: "/summits/%d/highest", Range: 40}}, func(mux *http.ServeMux) {
		mux.Handle("GET /summits/{summit}/highest", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			summit := web.Number(r, "summit")
			return web.Count(w, o.at(summit).highest(summit*31))
		}))
	})
}
