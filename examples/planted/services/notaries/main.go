// Command notaries has documents confirmed by another service, with its own connections for each customer.
package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"example.com/services/internal/host"
)

// confirm asks with a client that nobody else uses.
func confirm(ctx context.Context, base, document string) error {
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{MaxIdleConns: 4}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/documents/"+document, nil)
	if err != nil {
		return err
	}
	reply, err := client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	return err
}

func main() {
	host.Run(host.Service{
		Everyday: 85,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/documents/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("confirmed")) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			mux.HandleFunc("POST /documents/{number}", func(w http.ResponseWriter, r *http.Request) {
				if err := confirm(r.Context(), upstream, r.PathValue("number")); err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
				}
			})
		},
	})
}
