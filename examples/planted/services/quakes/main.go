// Command quakes answers which stations felt an earthquake, and how strongly.
package main

import (
	"math"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type reading struct {
	station     int
	north, east float64
	magnitude   float64
	phase       [4]float64
}

type network struct{ readings []reading }

func newNetwork() *network {
	n := &network{readings: make([]reading, 6000)}
	places := sample.Numbers(71, 12_000, 1800)
	for i := range n.readings {
		n.readings[i] = reading{station: i, north: float64(places[i]) / 10, east: float64(places[i+6000]) / 10, magnitude: float64(i%70) / 10}
	}
	return n
}

// near collects what was measured within a distance.
func (n *network) near(north, east, distance float64) []reading {
	var found []reading
	for _, one := range n.readings {
		dn, de := one.north-north, one.east-east
		if dn*dn+de*de < distance*distance {
			found = append(found, one)
		}
	}
	return found
}

func strongest(readings []reading) float64 {
	most := 0.0
	for i := range readings {
		most = math.Max(most, readings[i].magnitude)
	}
	return most
}

func main() {
	n := newNetwork()
	felt := func(w http.ResponseWriter, r *http.Request) error {
		number := web.Number(r, "quake")
		return web.Count(w, int(10*strongest(n.near(float64(number%90), float64(number%70), 160))))
	}
	host.Run(host.Service{
		Everyday: 45,
		Calls:    []host.Call{{Path: "/quakes/%d"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.Handle("GET /quakes/{quake}", web.Handler(felt)) },
	})
}
