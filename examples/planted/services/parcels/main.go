// Command parcels says where parcels are, as the carrier knows.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type place struct {
	Town string `json:"town"`
}

type carrier struct {
	address string
	found   chan place
}

// track asks the carrier.
func (c *carrier) track(number int) (place, error) {
	var found place
	reply, err := http.Get(c.address + "/parcels/" + strconv.Itoa(number))
	if err != nil {
		return found, err
	}
	defer reply.Body.Close()
	err = json.NewDecoder(reply.Body).Decode(&found)
	return found, err
}

// follow asks for the place without keeping the customer waiting.
func (c *carrier) follow(number int) {
	if found, err := c.track(number); err == nil {
		select {
		case c.found <- found:
		default:
		}
	}
}

func main() {
	host.Run(host.Service{
		Everyday: 85,
		Calls:    []host.Call{{Path: "/parcels/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if number := r.URL.Path[len(r.URL.Path)-1]; number%2 == 0 {
				time.Sleep(time.Minute) // an old depot does not answer
			}
			_, _ = w.Write([]byte(`{"town":"Bern"}`))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			c := &carrier{address: upstream, found: make(chan place, 4)}
			mux.HandleFunc("GET /parcels/{number}", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				go c.follow(number)
				w.WriteHeader(http.StatusAccepted)
			})
		},
	})
}
