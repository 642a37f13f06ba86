// Command scanner checks uploads with a pool of workers per request.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type checker struct{ parts [][]byte }

func (c *checker) worker(parts <-chan []byte, results chan<- int) {
	for part := range parts {
		sum := 0
		for _, char := range part {
			sum += int(char)
		}
		results <- sum
	}
}

// check starts workers for the parts of one upload.
func (c *checker) check() int {
	parts, results := make(chan []byte), make(chan int, len(c.parts))
	for range 4 {
		go c.worker(parts, results)
	}
	for _, part := range c.parts {
		parts <- part
	}
	sum := 0
	for range c.parts {
		sum += <-results
	}
	return sum
}

func (c *checker) serve(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write(strconv.AppendInt(nil, int64(c.check()), 10))
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/check"}}, func(mux *http.ServeMux) {
		c := &checker{}
		for i := range 24 {
			c.parts = append(c.parts, sample.Bytes(uint64(i), 2<<10))
		}
		mux.HandleFunc("POST /check", c.serve)
	})
}
