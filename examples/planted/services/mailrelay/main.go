// Command mailrelay takes messages over encrypted connections.
package main

import (
	"bufio"
	"crypto/tls"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/services/internal/host"
)

type relay struct {
	settings *tls.Config
	accepted atomic.Int64
}

func (r *relay) listen(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go r.session(connection)
	}
}

// session takes one message.
func (r *relay) session(raw net.Conn) {
	defer raw.Close()
	connection := tls.Server(raw, r.settings)
	if err := connection.Handshake(); err != nil {
		return
	}
	if _, err := bufio.NewReader(connection).ReadString('\n'); err != nil {
		return
	}
	r.accepted.Add(1)
	_, _ = connection.Write([]byte("250 OK\n"))
}

func send(address string) error {
	connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := connection.Write([]byte("MAIL FROM a TO b\n")); err != nil {
		return err
	}
	_, err = bufio.NewReader(connection).ReadString('\n')
	return err
}

func main() {
	r := &relay{}
	host.Run(host.Service{
		Everyday: 100,
		Routes: func(mux *http.ServeMux, _ string) {
			r.settings = &tls.Config{Certificates: []tls.Certificate{host.Certificate()}}
			mux.HandleFunc("GET /accepted", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(strconv.AppendInt(nil, r.accepted.Load(), 10))
			})
		},
		Listen: r.listen,
		Dial:   send,
	})
}
