// Command streams keeps connections open for clients that wait for news.
package main

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

type stations struct{ open atomic.Int64 }

// serve waits for the next line, for a minute at most.
func (s *stations) serve(connection net.Conn) {
	defer connection.Close()
	s.open.Add(1)
	defer s.open.Add(-1)
	reader := bufio.NewReaderSize(connection, 128)
	for {
		_ = connection.SetDeadline(time.Now().Add(time.Minute))
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return
		}
		if _, err := connection.Write(line); err != nil {
			return
		}
	}
}

func (s *stations) listen(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go s.serve(connection)
	}
}

var (
	mu    sync.Mutex
	lines []net.Conn
)

// keep opens two hundred connections and then uses them.
func keep(address string) error {
	mu.Lock()
	defer mu.Unlock()
	if len(lines) < 200 {
		connection, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
		if err != nil {
			return err
		}
		lines = append(lines, connection)
		return nil
	}
	one := lines[time.Now().UnixNano()%int64(len(lines))]
	if _, err := one.Write([]byte("news\n")); err != nil {
		return err
	}
	var answer [5]byte
	_, err := one.Read(answer[:])
	return err
}

func main() {
	s := &stations{}
	host.Run(host.Service{
		Everyday: 100,
		Routes: func(mux *http.ServeMux, _ string) {
			mux.HandleFunc("GET /open", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(strconv.AppendInt(nil, s.open.Load(), 10))
			})
		},
		Listen: s.listen,
		Dial:   keep,
	})
}
