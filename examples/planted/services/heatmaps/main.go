// Command heatmaps counts visits by place and hour.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

// layer has a cell for each place of a map, visited or not.
type layer struct {
	mu    sync.Mutex
	cells [][]float64
}

func newLayer(size int) *layer {
	one := &layer{cells: make([][]float64, 24)}
	for hour := range one.cells {
		one.cells[hour] = make([]float64, size*size)
	}
	return one
}

func (l *layer) visit(hour, place int) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	cell := &l.cells[hour%24][place%len(l.cells[0])]
	*cell++
	return *cell
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/visits/%d"}}, func(mux *http.ServeMux) {
		one := newLayer(760)
		mux.HandleFunc("POST /visits/{place}", func(w http.ResponseWriter, r *http.Request) {
			place, _ := strconv.Atoi(r.PathValue("place"))
			_, _ = w.Write(strconv.AppendFloat(nil, one.visit(place, place*31), 'f', 0, 64))
		})
	})
}
