// Command waitlist serves guests in the order in which they came.
package main

import (
	"container/list"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type guest struct{ table, persons int }

type line struct{ guests *list.List }

// add puts a guest at the end.
func (l *line) add(one guest) { l.guests.PushBack(one) }

func (l *line) next() guest { return l.guests.Remove(l.guests.Front()).(guest) }

func evening(tables []int) int {
	l := &line{guests: list.New()}
	persons := 0
	for i, table := range tables {
		l.add(guest{table, 1 + i%5})
		if i%3 == 2 {
			persons += l.next().persons
		}
	}
	return persons
}

func main() {
	host.Serve(60, []host.Call{{Path: "/evening"}}, func(mux *http.ServeMux) {
		tables := sample.Numbers(59, 6000, 60)
		mux.HandleFunc("GET /evening", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(evening(tables)), 10))
		})
	})
}
