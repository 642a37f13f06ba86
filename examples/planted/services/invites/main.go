// Command invites asks several directories for a guest, and takes the first answer.
package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type answer struct {
	directory int
	name      string
}

type directories struct{ delays []time.Duration }

func (d *directories) ask(directory, guest int) answer {
	time.Sleep(d.delays[directory] + time.Duration(guest%5)*time.Millisecond)
	return answer{directory, "guest " + strconv.Itoa(guest)}
}

// first returns the answer of the fastest directory.
func (d *directories) first(ctx context.Context, guest int) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	answers := make(chan answer)
	for directory := range d.delays {
		go func() { answers <- d.ask(directory, guest) }()
	}
	select {
	case one := <-answers:
		return one, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
}

func main() {
	host.Serve(85, []host.Call{{Path: "/guests/%d"}}, func(mux *http.ServeMux) {
		d := &directories{delays: []time.Duration{2 * time.Millisecond, 9 * time.Millisecond, 14 * time.Millisecond}}
		mux.HandleFunc("GET /guests/{guest}", func(w http.ResponseWriter, r *http.Request) {
			guest, _ := strconv.Atoi(r.PathValue("guest"))
			one, err := d.first(r.Context(), guest)
			if err != nil {
				http.Error(w, err.Error(), http.StatusGatewayTimeout)
				return
			}
			_, _ = w.Write([]byte(one.name))
		})
	})
}
