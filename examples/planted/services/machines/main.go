// Command machines writes metrics as text without intermediate strings.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type machine struct {
	name   string
	memory int
	load   float64
}

var buffers = sync.Pool{New: func() any { return &[]byte{} }}

func (m *machine) appendText(to []byte) []byte {
	to = append(append(append(to, `machine_memory_bytes{machine="`...), m.name...), `"} `...)
	to = append(strconv.AppendInt(to, int64(m.memory), 10), '\n')
	to = append(append(append(to, `machine_load{machine="`...), m.name...), `"} `...)
	return append(strconv.AppendFloat(to, m.load, 'f', 3, 64), '\n')
}

type fleet struct{ machines []machine }

func (f *fleet) serve(w http.ResponseWriter, _ *http.Request) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	text := (*buffer)[:0]
	for i := range f.machines {
		text = f.machines[i].appendText(text)
	}
	*buffer = text
	_, _ = w.Write(text)
}

func main() {
	host.Serve(50, []host.Call{{Path: "/metrics"}}, func(mux *http.ServeMux) {
		f := &fleet{}
		for i, memory := range sample.Numbers(65, 700, 1<<33) {
			f.machines = append(f.machines, machine{"machine-" + strconv.Itoa(i), memory, float64(memory%900) / 100})
		}
		mux.HandleFunc("GET /metrics", f.serve)
	})
}
