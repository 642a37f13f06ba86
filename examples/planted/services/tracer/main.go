// Command tracer follows parcels from place to place.
package main

import (
	"net/http"
	"os"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/tracer/trail"
)

type office struct {
	trail  *trail.Trail
	places []string
}

func (o *office) follow(parcel int) {
	for step := range 40 {
		o.trail.Note(parcel, step, o.places[(parcel+step)%len(o.places)])
	}
}

func (o *office) distance(from int) int {
	var spans trail.Spans
	sum := 0
	for i := range 5000 {
		spans.Measure(func() { sum += len(o.places[(from+i)%len(o.places)]) })
	}
	return sum
}

func main() {
	host.Serve(50, []host.Call{{Weight: 3, Method: http.MethodPost, Path: "/follow/%d"}, {Weight: 1, Path: "/distance/%d"}}, func(mux *http.ServeMux) {
		o := &office{trail: trail.New(os.Stdout), places: sample.Words(51, 300)}
		mux.HandleFunc("POST /follow/{parcel}", func(_ http.ResponseWriter, r *http.Request) {
			parcel, _ := strconv.Atoi(r.PathValue("parcel"))
			o.follow(parcel)
		})
		mux.HandleFunc("GET /distance/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(o.distance(from)), 10))
		})
	})
}
