// Command dispatch plans jobs by their urgency, and closes the files of finished ones.
package main

import (
	"container/heap"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type job struct{ urgency, number, size int }

type queue []job

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].urgency > q[j].urgency }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(one any)      { *q = append(*q, one.(job)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// plan brings the jobs into order.
func plan(urgencies []int) []job {
	waiting := make(queue, 0, len(urgencies))
	for i, urgency := range urgencies {
		heap.Push(&waiting, job{urgency, i, urgency % 7})
	}
	order := make([]job, 0, len(urgencies))
	for waiting.Len() > 0 {
		order = append(order, heap.Pop(&waiting).(job))
	}
	return order
}

type file struct{ open bool }

func (f *file) close() { f.open = false }

type cabinet struct{ files [4000]file }

// rewrite opens all files of a drawer.
func (c *cabinet) rewrite(drawer int) (written int) {
	for number := range c.files {
		one := &c.files[number]
		one.open = true
		defer func() {
			one.close()
			written++
		}()
	}
	return drawer
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/plan"}, {Weight: 3, Method: http.MethodPost, Path: "/rewrite"}}, func(mux *http.ServeMux) {
		urgencies, c := sample.Numbers(54, 2500, 1000), &cabinet{}
		mux.HandleFunc("GET /plan", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(plan(urgencies)[0].number), 10))
		})
		mux.HandleFunc("POST /rewrite", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(new(cabinet).rewrite(1)+c.rewrite(2)), 10))
		})
	})
}
