// Command alarms collects alarms of devices, and sends them on in groups.
package main

import (
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type alarm struct{ device int }

type collector struct {
	alarms chan alarm
	groups [][]alarm
}

// run ends with the shift.
func (c *collector) run(shift time.Duration) {
	end := time.After(shift)
	group := make([]alarm, 0, 50)
	for {
		select {
		case one := <-c.alarms:
			if group = append(group, one); len(group) == cap(group) {
				c.groups = append(c.groups[:0], group)
				group = group[:0]
			}
		case <-end:
			return
		}
	}
}

// raise does not keep the device waiting.
func (c *collector) raise(device int) {
	go c.enqueue(alarm{device})
}

func (c *collector) enqueue(one alarm) { c.alarms <- one }

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/alarms/%d"}}, func(mux *http.ServeMux) {
		c := &collector{alarms: make(chan alarm, 100)}
		go c.run(4 * time.Second)
		mux.HandleFunc("POST /alarms/{device}", func(_ http.ResponseWriter, r *http.Request) {
			device, _ := strconv.Atoi(r.PathValue("device"))
			c.raise(device)
		})
	})
}
