// Command aquariums lets visitors watch the water of a tank.
package main

import (
	"context"
	"net/http"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type tank struct {
	number      int
	temperature chan int
}

// observe measures again whenever somebody asks, until the context ends.
func (t *tank) observe(ctx context.Context) {
	degrees := 24
	for {
		select {
		case <-ctx.Done():
			return
		case t.temperature <- degrees:
			degrees = 22 + (degrees+t.number)%5
		}
	}
}

func watch(number int) *tank {
	t := &tank{number, make(chan int)}
	go t.observe(context.Background())
	return t
}

func main() {
	host.Serve(60, []host.Call{{Path: "/tanks/%d/temperature", Range: 70}}, func(mux *http.ServeMux) {
		mux.Handle("GET /tanks/{tank}/temperature", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			t := watch(web.Number(r, "tank"))
			sum := 0
			for range 3 {
				select {
				case degrees := <-t.temperature:
					sum += degrees
				case <-time.After(time.Second):
					return context.DeadlineExceeded
				}
			}
			return web.Count(w, sum/3)
		}))
	})
}
