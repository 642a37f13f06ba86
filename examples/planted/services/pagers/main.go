// Command pagers sends short messages over an old line protocol.
package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type terminal struct{ conn io.Writer }

// send escapes the message: the protocol has two special characters.
func (t terminal) send(text []byte) error {
	for _, char := range text {
		switch char {
		case '\n':
			if _, err := t.conn.Write([]byte{'\\', 'n'}); err != nil {
				return err
			}
		default:
			if _, err := t.conn.Write([]byte{char}); err != nil {
				return err
			}
		}
	}
	_, err := t.conn.Write([]byte{'\n'})
	return err
}

func answer(conn net.Conn, messages [][]byte) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		number, _ := strconv.Atoi(lines.Text())
		if err := (terminal{conn}).send(messages[number%len(messages)]); err != nil {
			return
		}
	}
}

func main() {
	var messages [][]byte
	for i := range 20 {
		messages = append(messages, sample.Text(uint64(310+i), 60))
	}
	host.Run(host.Service{
		Everyday: 100,
		Routes:   func(*http.ServeMux, string) {},
		Listen: func(listener net.Listener) {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go answer(conn, messages)
			}
		},
		Dial: func(address string) error {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				return err
			}
			defer conn.Close()
			reader := bufio.NewReader(conn)
			for number := range 3 {
				if _, err := io.WriteString(conn, strconv.Itoa(number)+"\n"); err != nil {
					return err
				}
				if _, err := reader.ReadString('\n'); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
