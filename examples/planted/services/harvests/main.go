// Command harvests plans the order of fields, and remembers the last loads.
package main

import (
	"container/heap"
	"container/list"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type field struct {
	ripe, acres int
	owner       string
}

type byRipeness []field

func (f byRipeness) Len() int           { return len(f) }
func (f byRipeness) Less(i, j int) bool { return f[i].ripe < f[j].ripe }
func (f byRipeness) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *byRipeness) Push(one any)      { *f = append(*f, one.(field)) }
func (f *byRipeness) Pop() any {
	rest := *f
	one := rest[len(rest)-1]
	*f = rest[:len(rest)-1]
	return one
}

type season struct{ fields []field }

// order returns the acres of the first fields.
func (s *season) order(first int) (acres int) {
	plan := &byRipeness{}
	for _, one := range s.fields {
		heap.Push(plan, one)
	}
	for range first {
		acres += heap.Pop(plan).(field).acres
	}
	return acres
}

type load struct{ tons, moisture int }

// driest goes through the last loads.
func driest(numbers []int) int {
	recent := list.New()
	least := 100
	for _, number := range numbers {
		recent.PushBack(load{number, number % 23})
		if recent.Len() > 64 {
			least = min(least, recent.Remove(recent.Front()).(load).moisture)
		}
	}
	return least
}

func main() {
	host.Serve(50, []host.Call{{Weight: 2, Path: "/fields/%d"}, {Weight: 1, Path: "/loads"}}, func(mux *http.ServeMux) {
		numbers, s := sample.Numbers(202, 9000, 2000), &season{}
		for _, number := range numbers[:3000] {
			s.fields = append(s.fields, field{number, number % 40, "ada"})
		}
		mux.HandleFunc("GET /fields/{count}", func(w http.ResponseWriter, r *http.Request) {
			count, _ := strconv.Atoi(r.PathValue("count"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(s.order(1000+count%1000)), 10))
		})
		mux.HandleFunc("GET /loads", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(driest(numbers)), 10))
		})
	})
}
