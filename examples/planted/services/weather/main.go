// Command weather shows the forecast of another service.
package main

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/services/internal/host"
)

type forecasts struct {
	source   string
	stations string
}

func (f *forecasts) fetch(city string) ([]byte, error) {
	reply, err := http.Get(f.source + "/forecast/" + city)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	return io.ReadAll(io.LimitReader(reply.Body, 1<<16))
}

func (f *forecasts) serve(w http.ResponseWriter, r *http.Request) {
	text, err := f.fetch(r.PathValue("city"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	_, _ = w.Write(text)
}

// slow answers some cities at once, and others not at all.
func slow(w http.ResponseWriter, r *http.Request) {
	city, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/forecast/"))
	if city%4 == 0 {
		time.Sleep(time.Hour)
	}
	_, _ = w.Write([]byte("sunny"))
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Calls:    []host.Call{{Path: "/city/%d"}},
		Upstream: http.HandlerFunc(slow),
		Routes: func(mux *http.ServeMux, upstream string) {
			f := &forecasts{source: upstream}
			mux.HandleFunc("GET /city/{city}", f.serve)
		},
	})
}
