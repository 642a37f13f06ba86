// Command campaigns sends advertisements. Its requests have the customer as a label.
package main

import (
	"context"
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type sender struct {
	client  *http.Client
	address string
}

// deliver sends one advertisement.
func (s *sender) deliver(ctx context.Context, number int) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/ads/"+strconv.Itoa(number), nil)
	if err != nil {
		return err
	}
	reply, err := s.client.Do(request)
	if err != nil {
		return err
	}
	return reply.Body.Close()
}

// run delivers one advertisement after the other.
func (s *sender) run(ctx context.Context, count int) error {
	for number := range count {
		if err := s.deliver(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

var customers = []struct {
	name  string
	count int
}{{"bakery", 1}, {"cinema", 2}, {"florist", 1}, {"grocer", 60}, {"tailor", 2}}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/customers/%d/campaigns"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { time.Sleep(5 * time.Millisecond) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			s := &sender{&http.Client{Timeout: time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, upstream}
			mux.HandleFunc("POST /customers/{number}/campaigns", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				one := customers[number%len(customers)]
				pprof.Do(r.Context(), pprof.Labels("customer", one.name), func(ctx context.Context) {
					if err := s.run(ctx, one.count); err != nil {
						http.Error(w, err.Error(), http.StatusBadGateway)
					}
				})
			})
		},
	})
}
