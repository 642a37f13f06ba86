// Command triage decides who is treated first, and reads the values of a day.
package main

import (
	"container/heap"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type patient struct {
	urgency, arrival int
	name             string
}

type waiting struct{ patients []patient }

func (w *waiting) Len() int           { return len(w.patients) }
func (w *waiting) Less(i, j int) bool { return w.patients[i].urgency > w.patients[j].urgency }
func (w *waiting) Swap(i, j int)      { w.patients[i], w.patients[j] = w.patients[j], w.patients[i] }
func (w *waiting) Push(one any)       { w.patients = append(w.patients, one.(patient)) }
func (w *waiting) Pop() any {
	last := len(w.patients) - 1
	one := w.patients[last]
	w.patients = w.patients[:last]
	return one
}

// admit puts patients into the queue, and calls every second one.
func admit(arrivals []int) (called int) {
	w := &waiting{patients: make([]patient, 0, len(arrivals))}
	for arrival, urgency := range arrivals {
		heap.Push(w, patient{urgency, arrival, "patient"})
		if arrival%2 == 0 {
			called += heap.Pop(w).(patient).arrival
		}
	}
	return called
}

type value struct{ minute, pulse, oxygen, pressure int }

// curve has a value for each minute.
func curve(minutes int) []value {
	var values []value
	for minute := range minutes {
		values = append(values, value{minute, 60 + minute%30, 95 + minute%4, 120})
	}
	return values
}

func main() {
	host.Serve(55, []host.Call{{Weight: 3, Method: http.MethodPost, Path: "/arrivals"}, {Weight: 2, Path: "/patients/%d/curve"}}, func(mux *http.ServeMux) {
		arrivals := sample.Numbers(143, 4000, 900)
		mux.HandleFunc("POST /arrivals", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(admit(arrivals)), 10))
		})
		mux.HandleFunc("GET /patients/{number}/curve", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(curve(20_000))), 10))
		})
	})
}
