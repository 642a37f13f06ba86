// Command exposition shows the metrics of a fleet of machines.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type number interface{ ~int | ~float64 }

type series[N number] struct {
	machine string
	zone    string
	value   N
}

type gauges struct {
	memory []series[int]
	load   []series[float64]
	pool   sync.Pool
}

func writeSeries[N number](to io.Writer, name string, list []series[N]) {
	for _, one := range list {
		fmt.Fprintf(to, "%s{machine=%q,zone=%q} %v\n", name, one.machine, one.zone, one.value)
	}
}

func (g *gauges) serve(w http.ResponseWriter, _ *http.Request) {
	text := g.pool.Get().(*bytes.Buffer)
	defer g.pool.Put(text)
	text.Reset()
	writeSeries(text, "machine_memory_bytes", g.memory)
	writeSeries(text, "machine_load", g.load)
	_, _ = w.Write(text.Bytes())
}

func main() {
	host.Serve(75, []host.Call{{Path: "/metrics"}}, func(mux *http.ServeMux) {
		g := &gauges{}
		g.pool.New = func() any { return new(bytes.Buffer) }
		for i, value := range sample.Numbers(42, 400, 1<<30) {
			machine := "machine-" + strconv.Itoa(i)
			g.memory = append(g.memory, series[int]{machine, "north", value})
			g.load = append(g.load, series[float64]{machine, "north", float64(value%700) / 100})
		}
		mux.HandleFunc("GET /metrics", g.serve)
	})
}
