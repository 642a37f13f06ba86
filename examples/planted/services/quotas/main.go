// Command quotas exports the data of customers, part after part. Its requests have the customer as a label.
package main

import (
	"context"
	"io"
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type exporter struct {
	client  *http.Client
	address string
}

// part fetches one.
func (e *exporter) part(ctx context.Context, customer, number int) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.address+"/parts/"+strconv.Itoa(customer*100+number), nil)
	if err != nil {
		return 0, err
	}
	reply, err := e.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	return io.Copy(io.Discard, reply.Body)
}

func (e *exporter) export(ctx context.Context, customer, parts int) (size int64, err error) {
	for number := range parts {
		one, err := e.part(ctx, customer, number)
		if err != nil {
			return 0, err
		}
		size += one
	}
	return size, nil
}

// parts of each customer: the first one has by far the most.
var parts = [...]int{60, 1, 2, 2, 1, 3, 1, 2}

func main() {
	host.Run(host.Service{
		Everyday: 75,
		Calls:    []host.Call{{Path: "/customers/%d/export"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(4 * time.Millisecond)
			_, _ = w.Write(make([]byte, 2000))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			transport := &http.Transport{MaxIdleConnsPerHost: 64}
			e := &exporter{client: &http.Client{Transport: transport, Timeout: 2 * time.Second}, address: upstream}
			mux.HandleFunc("GET /customers/{number}/export", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				customer := number % len(parts)
				pprof.Do(r.Context(), pprof.Labels("customer", strconv.Itoa(customer)), func(ctx context.Context) {
					size, err := e.export(ctx, customer, parts[customer])
					if err != nil {
						http.Error(w, err.Error(), http.StatusBadGateway)
						return
					}
					_, _ = w.Write(strconv.AppendInt(nil, size, 10))
				})
			})
		},
	})
}
