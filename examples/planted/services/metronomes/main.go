// Command metronomes plays simulated beats and drops those that come too late.
package main

import (
	"net/http"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type beat struct {
	offset time.Duration
	volume int
}

// clock tells the time since a piece began.
type clock struct{ began time.Time }

func (c clock) elapsed() time.Duration { return time.Since(c.began) }

type player struct{ beats []beat }

// play mixes the beats that are due; the clock decides for each of them.
func (p *player) play(from int) (volume, late int) {
	c := clock{time.Now()}
	for _, one := range p.beats[from : from+5000] {
		if c.elapsed() > one.offset+20*time.Millisecond {
			late++
			continue
		}
		volume = (volume*7 + one.volume) / 8
	}
	return volume, late
}

func main() {
	p := &player{}
	for i, volume := range sample.Numbers(111, 16_000, 127) {
		p.beats = append(p.beats, beat{time.Duration(i) * time.Microsecond, volume})
	}
	host.Run(host.Service{
		Everyday: 50,
		Routes: func(mux *http.ServeMux, _ string) {
			mux.Handle("GET /pieces/{number}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				volume, late := p.play(web.Number(r, "number"))
				return web.Count(w, volume+late)
			}))
		},
		Calls: []host.Call{{Path: "/pieces/%d"}},
	})
}
