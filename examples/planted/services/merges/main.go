// Command merges sorts numbers and joins sorted lists.
package main

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type lists struct {
	parts   [][]int
	scratch sync.Pool
}

// join merges two sorted lists.
func join(to, a, b []int) []int {
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			to, a = append(to, a[0]), a[1:]
		} else {
			to, b = append(to, b[0]), b[1:]
		}
	}
	return append(append(to, a...), b...)
}

func (l *lists) median() int {
	buffers := l.scratch.Get().(*[3][]int)
	defer l.scratch.Put(buffers)
	for i := range 2 {
		buffers[i] = append(buffers[i][:0], l.parts[i]...)
		slices.Sort(buffers[i])
	}
	buffers[2] = join(buffers[2][:0], buffers[0], buffers[1])
	return buffers[2][len(buffers[2])/2]
}

func main() {
	host.Serve(50, []host.Call{{Path: "/median"}}, func(mux *http.ServeMux) {
		l := &lists{parts: [][]int{sample.Numbers(67, 6000, 1<<30), sample.Numbers(68, 6000, 1<<30)}}
		l.scratch.New = func() any { return &[3][]int{} }
		mux.HandleFunc("GET /median", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(l.median()), 10))
		})
	})
}
