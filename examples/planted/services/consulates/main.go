// Command consulates looks up passports by the old protocol of the registry: a line there, a line back.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

// registry is reached by one connection for each question.
type registry struct{ address string }

func (g registry) ask(question string) (string, error) {
	line, err := net.Dial("tcp", g.address)
	if err != nil {
		return "", err
	}
	defer line.Close()
	if _, err := fmt.Fprintf(line, "GET /%s HTTP/1.0\r\n\r\n", question); err != nil {
		return "", err
	}
	answer, err := g.lastLine(bufio.NewReader(line))
	return strings.TrimSpace(answer), err
}

func (registry) lastLine(from *bufio.Reader) (last string, err error) {
	for {
		line, err := from.ReadString('\n')
		if line != "" {
			last = line
		}
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// slow is the registry: some passports are on paper.
func slow(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "7") {
		select {
		case <-time.After(time.Minute):
		case <-r.Context().Done():
		}
	}
	_, _ = io.WriteString(w, "valid\n")
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Upstream: http.HandlerFunc(slow),
		Calls:    []host.Call{{Path: "/passports/%d"}},
		Routes: func(mux *http.ServeMux, upstream string) {
			g := registry{strings.TrimPrefix(upstream, "http://")}
			mux.Handle("GET /passports/{number}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				answer, err := g.ask(r.PathValue("number"))
				if err != nil {
					return err
				}
				_, err = io.WriteString(w, answer)
				return err
			}))
		},
	})
}
