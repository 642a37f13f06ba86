// Command carriers asks a carrier for its rates.
package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type carrier struct{ address string }

// client trusts the certificate of the carrier.
func (c *carrier) client() *http.Client {
	return &http.Client{
		Timeout:   2 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, IdleConnTimeout: time.Second},
	}
}

// rate asks for the price of a parcel.
func (c *carrier) rate(ctx context.Context, grams int) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+"/rates/"+strconv.Itoa(grams), nil)
	if err != nil {
		return 0, err
	}
	client := c.client()
	defer client.CloseIdleConnections()
	reply, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	return io.Copy(io.Discard, reply.Body)
}

func main() {
	host.Run(host.Service{
		Everyday:    75,
		Calls:       []host.Call{{Path: "/rates/%d"}},
		UpstreamTLS: true,
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "4.90")
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			c := &carrier{address: upstream}
			mux.HandleFunc("GET /rates/{grams}", func(w http.ResponseWriter, r *http.Request) {
				grams, _ := strconv.Atoi(r.PathValue("grams"))
				size, err := c.rate(r.Context(), grams)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendInt(nil, size, 10))
			})
		},
	})
}
