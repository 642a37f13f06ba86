// Command barometers notes the air pressure that weather stations send.
package main

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type measurement struct {
	at       time.Time
	station  int
	pascals  [96]float64
	comments string
}

// journal of everything that arrived since the service began.
type journal struct {
	mu      sync.Mutex
	entries []*measurement
	// normal pressures of each station, by day and hour.
	normal [400][]float64
}

func open(raw []int) *journal {
	j := &journal{}
	for station := range j.normal {
		j.normal[station] = make([]float64, 366*24)
		for hour := range j.normal[station] {
			j.normal[station][hour] = 98_000 + float64(raw[(hour*7+station)%len(raw)])
		}
	}
	return j
}

func (j *journal) enter(one *measurement) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, one)
	return len(j.entries)
}

func measured(station int, raw []int) *measurement {
	m := &measurement{at: time.Now(), station: station}
	for i := range m.pascals {
		m.pascals[i] = 98_000 + float64(raw[(station+i)%len(raw)])
	}
	return m
}

// trend compares the last two entries of a station.
func (j *journal) trend(station int) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	var last [2]float64
	for back := len(j.entries) - 1; back >= max(0, len(j.entries)-300); back-- {
		if one := j.entries[back]; one.station == station {
			last[0], last[1] = last[1], one.pascals[0]
		}
	}
	return int(last[0] - last[1] + j.normal[station][0]/1000)
}

func main() {
	raw := sample.Numbers(231, 5000, 6000)
	host.Serve(40, []host.Call{{Weight: 5, Method: http.MethodPost, Path: "/stations/%d/pressure", Range: 400}, {Path: "/stations/%d/trend", Range: 400}}, func(mux *http.ServeMux) {
		j := open(raw)
		mux.Handle("POST /stations/{station}/pressure", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			for hour := range 6 {
				j.enter(measured(web.Number(r, "station")+hour, raw))
			}
			return web.Count(w, 6)
		}))
		mux.Handle("GET /stations/{station}/trend", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, j.trend(web.Number(r, "station")))
		}))
	})
}
