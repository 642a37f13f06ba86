// Command jobs runs jobs with a fixed number of workers, most of which wait.
package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type job struct {
	numbers []int
	result  chan<- int
}

type pool struct{ jobs chan job }

func (p *pool) worker(ctx context.Context) {
	for {
		select {
		case one := <-p.jobs:
			one.result <- longestRun(one.numbers)
		case <-ctx.Done():
			return
		}
	}
}

// longestRun is the length of the longest rising subsequence.
func longestRun(numbers []int) int {
	var ends [256]int
	length := 0
	for _, number := range numbers {
		at, to := 0, length
		for at < to {
			if middle := (at + to) / 2; ends[middle] < number {
				at = middle + 1
			} else {
				to = middle
			}
		}
		ends[at] = number
		length = min(max(length, at+1), len(ends)-1)
	}
	return length
}

func (p *pool) submit(ctx context.Context, numbers []int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	result := make(chan int, 1)
	select {
	case p.jobs <- job{numbers, result}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	select {
	case length := <-result:
		return length, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func main() {
	host.Serve(45, []host.Call{{Method: http.MethodPost, Path: "/jobs/%d"}}, func(mux *http.ServeMux) {
		p, numbers := &pool{jobs: make(chan job, 64)}, sample.Numbers(64, 30_000, 1_000_000)
		for range 48 {
			go p.worker(context.Background())
		}
		mux.HandleFunc("POST /jobs/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			length, err := p.submit(r.Context(), numbers[from:from+12_000])
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(length), 10))
		})
	})
}
