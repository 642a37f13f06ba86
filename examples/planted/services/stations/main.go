// Command stations lists stations as JSON, with an encoder made for them.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type station struct {
	id        int
	name      string
	latitude  float64
	longitude float64
}

func (s *station) appendJSON(to []byte) []byte {
	to = append(to, `{"id":`...)
	to = strconv.AppendInt(to, int64(s.id), 10)
	to = append(to, `,"name":`...)
	to = strconv.AppendQuote(to, s.name)
	to = append(to, `,"latitude":`...)
	to = strconv.AppendFloat(to, s.latitude, 'f', 5, 64)
	to = append(to, `,"longitude":`...)
	to = strconv.AppendFloat(to, s.longitude, 'f', 5, 64)
	return append(to, '}')
}

type network struct {
	stations []station
	buffers  sync.Pool
}

func (n *network) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	buffer := n.buffers.Get().(*[]byte)
	defer n.buffers.Put(buffer)
	body := append((*buffer)[:0], '[')
	for i := range 300 {
		if i > 0 {
			body = append(body, ',')
		}
		body = n.stations[(from+i)%len(n.stations)].appendJSON(body)
	}
	*buffer = append(body, ']')
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(*buffer)
}

func main() {
	host.Serve(40, []host.Call{{Path: "/stations/%d"}}, func(mux *http.ServeMux) {
		n := &network{buffers: sync.Pool{New: func() any { return &[]byte{} }}}
		for i, name := range sample.Words(61, 2000) {
			n.stations = append(n.stations, station{i, name, 47 + float64(i)/1000, 6 + float64(i)/300})
		}
		mux.HandleFunc("GET /stations/{from}", n.serve)
	})
}
