// Command linewire answers questions about articles over a protocol of lines.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type catalog struct {
	names  []string
	prices []int
}

func (c *catalog) listen(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go c.session(connection)
	}
}

func (c *catalog) session(connection net.Conn) {
	defer connection.Close()
	question, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return
	}
	_ = c.reply(connection, len(question))
}

// reply writes a line per article.
func (c *catalog) reply(to io.Writer, from int) error {
	for i := from; i < from+60; i++ {
		for _, field := range []string{c.names[i], " ", strconv.Itoa(c.prices[i]), "\n"} {
			if _, err := io.WriteString(to, field); err != nil {
				return err
			}
		}
	}
	return nil
}

func ask(address string) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := fmt.Fprintln(connection, "list"); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, connection)
	return err
}

func main() {
	c := &catalog{names: sample.Words(47, 500), prices: sample.Numbers(48, 500, 9000)}
	host.Run(host.Service{
		Everyday: 100,
		Routes: func(mux *http.ServeMux, _ string) {
			mux.HandleFunc("GET /size", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(strconv.AppendInt(nil, int64(len(c.names)), 10))
			})
		},
		Listen: c.listen,
		Dial:   ask,
	})
}
