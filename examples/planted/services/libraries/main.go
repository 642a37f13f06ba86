// Command libraries lends books, and shows how many readers a town has.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type lending struct {
	mu   sync.Mutex
	file *os.File
	lent map[int]int
}

// lend writes down who has a book, so that it survives a loss of power.
func (l *lending) lend(book, reader int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lent[book] = reader
	if _, err := fmt.Fprintf(l.file, "%d %d\n", book, reader); err != nil {
		return err
	}
	return l.file.Sync()
}

type readers struct {
	mu     sync.RWMutex
	byTown [][]int
}

// count reads all towns of a district.
func (r *readers) count(district int) (sum int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for turn := range 30 {
		for _, town := range r.byTown {
			sum += town[(district+turn)%len(town)]
		}
	}
	return sum
}

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/books/%d/lend"}, {Weight: 3, Path: "/districts/%d/readers"}}, func(mux *http.ServeMux) {
		file, err := os.CreateTemp("", "lending-*")
		if err != nil {
			panic(err)
		}
		_ = os.Remove(file.Name())
		l, town := &lending{file: file, lent: map[int]int{}}, &readers{}
		for i := range 2500 {
			town.byTown = append(town.byTown, []int{i, i / 2, i / 3})
		}
		mux.HandleFunc("POST /books/{book}/lend", func(w http.ResponseWriter, r *http.Request) {
			book, _ := strconv.Atoi(r.PathValue("book"))
			var group sync.WaitGroup
			for copy := range 3 {
				group.Go(func() { _ = l.lend(book+copy, copy) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
		mux.HandleFunc("GET /districts/{district}/readers", func(w http.ResponseWriter, r *http.Request) {
			district, _ := strconv.Atoi(r.PathValue("district"))
			var group sync.WaitGroup
			for part := range 8 {
				group.Go(func() { town.count(district + part) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
	})
}
