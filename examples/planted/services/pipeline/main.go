// Command pipeline cleans measurements step by step.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type plant struct{ values []int }

func (p *plant) produce() <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for _, value := range p.values {
			out <- value
		}
	}()
	return out
}

func scale(in <-chan int, by int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for value := range in {
			out <- value * by
		}
	}()
	return out
}

func (p *plant) sum() int {
	sum := 0
	for value := range scale(p.produce(), 3) {
		sum += value
	}
	return sum
}

func (p *plant) serve(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write(strconv.AppendInt(nil, int64(p.sum()), 10))
}

func main() {
	host.Serve(60, []host.Call{{Path: "/sum"}}, func(mux *http.ServeMux) {
		p := &plant{values: sample.Numbers(25, 3000, 900)}
		mux.HandleFunc("GET /sum", p.serve)
	})
}
