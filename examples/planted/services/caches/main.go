// Command caches reads values from a cache server.
package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"example.com/services/internal/host"
)

type node struct{ address string }

// get asks over a connection that is only for this question.
func (n *node) get(key string) (string, error) {
	connection, err := net.Dial("tcp", n.address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	if _, err := fmt.Fprintf(connection, "GET /%s HTTP/1.0\r\n\r\n", key); err != nil {
		return "", err
	}
	return bufio.NewReader(connection).ReadString('\n')
}

// overloaded leaves some questions without an answer.
func overloaded(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/k"))
	if number%3 == 0 {
		select {}
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	host.Run(host.Service{
		Everyday: 75,
		Calls:    []host.Call{{Path: "/values/k%d"}},
		Upstream: http.HandlerFunc(overloaded),
		Routes: func(mux *http.ServeMux, upstream string) {
			n := &node{strings.TrimPrefix(upstream, "http://")}
			mux.HandleFunc("GET /values/{key}", func(w http.ResponseWriter, r *http.Request) {
				value, err := n.get(r.PathValue("key"))
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write([]byte(value))
			})
		},
	})
}
