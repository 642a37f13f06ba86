// Command intakes receives the sensor logs of pumping stations and checks their sums.
package main

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type protocol struct {
	lines int
	sum   int
}

func receive(body io.Reader) (p protocol, err error) {
	whole, err := io.ReadAll(body)
	if err != nil {
		return p, err
	}
	for line := range bytes.Lines(whole) {
		p.take(line)
	}
	return p, nil
}

// history of a pump, hour by hour.
func history(pump int) []byte {
	text := make([]byte, 0, 96<<10)
	for hour := range 8000 {
		text = strconv.AppendInt(text, int64(hour*pump%9973), 10)
		text = append(text, " l\n"...)
	}
	return text
}

// take adds the number at the start of a line.
func (p *protocol) take(line []byte) {
	number := 0
	for _, digit := range line {
		if digit < '0' || digit > '9' {
			break
		}
		number = number*10 + int(digit-'0')
	}
	p.lines++
	p.sum += number
}

func sensorLog() []byte {
	var text []byte
	for _, litres := range sample.Numbers(241, 14_000, 100_000) {
		text = strconv.AppendInt(text, int64(litres), 10)
		text = append(text, " l/h\n"...)
	}
	return text
}

func main() {
	body := sensorLog()
	host.Serve(60, []host.Call{{Method: http.MethodPut, Path: "/pumps/%d/log", Body: func(int) []byte { return body }}, {Weight: 3, Path: "/pumps/%d/history"}}, func(mux *http.ServeMux) {
		mux.Handle("PUT /pumps/{pump}/log", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			p, err := receive(r.Body)
			if err != nil {
				return err
			}
			return web.Count(w, p.sum/max(p.lines, 1))
		}))
		mux.HandleFunc("GET /pumps/{pump}/history", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(history(web.Number(r, "pump")))
		})
	})
}
