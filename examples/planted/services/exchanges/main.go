// Command exchanges converts amounts by the rates of a bank.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

// bank asks over connections of its own, so that customers do not share them.
type bank struct{ base string }

func (b bank) get(ctx context.Context, path string) ([]byte, error) {
	client := &http.Client{
		Timeout:   2 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+path, nil)
	if err != nil {
		return nil, err
	}
	reply, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("bank: %s", reply.Status)
	}
	return io.ReadAll(io.LimitReader(reply.Body, 1<<10))
}

func (b bank) rate(ctx context.Context, currency int) (float64, error) {
	text, err := b.get(ctx, "/rates/"+strconv.Itoa(currency))
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(text), 64)
}

func main() {
	host.Run(host.Service{
		Everyday:    45,
		UpstreamTLS: true,
		Calls:       []host.Call{{Path: "/convert/%d", Range: 30}},
		Upstream:    http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("1.0842")) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			b := bank{upstream}
			mux.HandleFunc("GET /convert/{currency}", func(w http.ResponseWriter, r *http.Request) {
				currency, _ := strconv.Atoi(r.PathValue("currency"))
				rate, err := b.rate(r.Context(), currency)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendFloat(nil, rate*100, 'f', 2, 64))
			})
		},
	})
}
