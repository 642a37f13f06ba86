// Command walks counts what is in the folders of a tree.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
)

type folder struct {
	size    int
	folders []*folder
}

func build(depth int) *folder {
	one := &folder{size: 10 + depth}
	if depth > 0 {
		for range 4 {
			one.folders = append(one.folders, build(depth-1))
		}
	}
	return one
}

// each yields the folders below this one.
func (f *folder) each() <-chan *folder {
	all := make(chan *folder)
	go func() {
		defer close(all)
		f.send(all)
	}()
	return all
}

func (f *folder) send(to chan<- *folder) {
	to <- f
	for _, one := range f.folders {
		one.send(to)
	}
}

func (f *folder) total() int {
	sum := 0
	for one := range f.each() {
		sum += one.size
	}
	return sum
}

func main() {
	host.Serve(75, []host.Call{{Path: "/total"}}, func(mux *http.ServeMux) {
		root := build(6)
		mux.HandleFunc("GET /total", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(root.total()), 10))
		})
	})
}
