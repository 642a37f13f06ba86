// Command currencies asks an exchange for rates over a protocol of its own.
package main

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/services/internal/host"
)

type exchange struct{ address string }

// rate asks over a new connection and reads the first line of the answer.
func (e exchange) rate(currency int) (string, error) {
	conn, err := net.Dial("tcp", e.address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("GET /" + strconv.Itoa(currency) + " HTTP/1.0\r\n\r\n")); err != nil {
		return "", err
	}
	return bufio.NewReaderSize(conn, 256).ReadString('\n')
}

func quote(ctx context.Context, from exchange, currency int) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return from.rate(currency)
}

func main() {
	host.Run(host.Service{
		Everyday: 75,
		Calls:    []host.Call{{Path: "/currencies/%d", Range: 100}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "7") || strings.HasSuffix(r.URL.Path, "3") {
				time.Sleep(8 * time.Second)
			}
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			from := exchange{strings.TrimPrefix(upstream, "http://")}
			mux.HandleFunc("GET /currencies/{number}", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				line, err := quote(r.Context(), from, number)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write([]byte(line))
			})
		},
	})
}
