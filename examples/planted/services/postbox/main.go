// Command postbox delivers messages to a relay that speaks TLS.
package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"example.com/services/internal/host"
)

type relay struct {
	address string
	config  *tls.Config
}

// deliver says what it has to, and hangs up.
func (r *relay) deliver(text string) error {
	dialer := &net.Dialer{Timeout: time.Second}
	conn, err := tls.DialWithDialer(dialer, "tcp", r.address, r.config)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := fmt.Fprintf(conn, "GET /%s HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n", text); err != nil {
		return err
	}
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err
}

func main() {
	host.Run(host.Service{
		Everyday:    80,
		UpstreamTLS: true,
		Calls:       []host.Call{{Method: http.MethodPost, Path: "/messages/%d"}},
		Upstream:    http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			out := &relay{strings.TrimPrefix(upstream, "https://"), &tls.Config{InsecureSkipVerify: true}}
			mux.HandleFunc("POST /messages/{number}", func(w http.ResponseWriter, r *http.Request) {
				if err := out.deliver(r.PathValue("number")); err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
				}
			})
		},
	})
}
