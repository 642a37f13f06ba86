// Command terminals asks a bank whether cards may be used.
package main

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/services/internal/host"
)

type bank struct {
	client  *http.Client
	address string
}

// dial opens a connection to the bank.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	return dialer.DialContext(ctx, network, address)
}

func newBank(address string) *bank {
	transport := &http.Transport{DialTLSContext: dial, DisableKeepAlives: true}
	return &bank{client: &http.Client{Transport: transport, Timeout: 5 * time.Second}, address: address}
}

func (b *bank) authorize(card string) (string, error) {
	reply, err := b.client.Get(b.address + "/cards/" + card)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 200))
	return string(text), err
}

func (b *bank) serve(w http.ResponseWriter, r *http.Request) {
	answer, err := b.authorize(r.PathValue("card"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	_, _ = w.Write([]byte(answer))
}

func main() {
	host.Run(host.Service{
		Everyday:    60,
		Calls:       []host.Call{{Path: "/authorize/%d"}},
		Upstream:    http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("yes")) }),
		UpstreamTLS: true,
		Routes: func(mux *http.ServeMux, upstream string) {
			mux.HandleFunc("GET /authorize/{card}", newBank(upstream).serve)
		},
	})
}
