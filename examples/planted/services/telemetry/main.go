// Command telemetry receives measurements of machines.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type measurement struct {
	machine string
	at      time.Time
	values  [24]float64
}

type collector struct {
	mu      sync.Mutex
	history []*measurement
}

func (c *collector) record(machine string, values map[string]any) {
	one := &measurement{machine: machine, at: time.Now()}
	for i := range one.values {
		one.values[i], _ = values["v"+strconv.Itoa(i)].(float64)
	}
	c.mu.Lock()
	c.history = append(c.history, one)
	c.mu.Unlock()
}

func parse(body io.Reader) ([]map[string]any, error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	var list []map[string]any
	return list, json.Unmarshal(text, &list)
}

func (c *collector) serve(w http.ResponseWriter, r *http.Request) {
	list, err := parse(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, values := range list {
		c.record(r.PathValue("machine"), values)
	}
	w.WriteHeader(http.StatusNoContent)
}

func payload(int) []byte {
	list := make([]map[string]float64, 40)
	for i := range list {
		list[i] = map[string]float64{}
		for j := range 24 {
			list[i]["v"+strconv.Itoa(j)] = float64(i*j) / 7
		}
	}
	text, _ := json.Marshal(list)
	return text
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/machines/m%d", Body: payload}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /machines/{machine}", new(collector).serve)
	})
}
