// Command telescopes computes where stars are at the moment.
package main

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type star struct{ ascension float64 }

// clock is the time of the observatory.
type clock interface{ now() time.Time }

type system struct{ ahead time.Duration }

func (s system) now() time.Time { return time.Now().Add(s.ahead) }

type sky struct {
	clock clock
	stars []star
}

// above counts the stars above the horizon.
func (s *sky) above(longitude float64) (count int) {
	for _, one := range s.stars {
		hours := float64(s.clock.now().Unix()%86164)/3600 + longitude/15
		if math.Abs(hours-one.ascension) < 6 {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(60, []host.Call{{Path: "/stars/%d", Range: 180}}, func(mux *http.ServeMux) {
		s := &sky{clock: system{37 * time.Second}}
		for _, number := range sample.Numbers(320, 2500, 2400) {
			s.stars = append(s.stars, star{float64(number) / 100})
		}
		mux.HandleFunc("GET /stars/{longitude}", func(w http.ResponseWriter, r *http.Request) {
			longitude, _ := strconv.ParseFloat(r.PathValue("longitude"), 64)
			_, _ = w.Write(strconv.AppendInt(nil, int64(s.above(longitude)), 10))
		})
	})
}
