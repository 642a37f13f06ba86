// Command scrapers reads price lists with several workers for each.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type list struct{ pages []int }

// sum reads the pages of a list with four workers.
func (l list) sum() (cents int) {
	pages := make(chan int)
	var mu sync.Mutex
	var read sync.WaitGroup
	for range 4 {
		go func() {
			for page := range pages {
				mu.Lock()
				cents += l.pages[page]
				mu.Unlock()
				read.Done()
			}
		}()
	}
	for page := range l.pages {
		read.Add(1)
		pages <- page
	}
	read.Wait()
	return cents
}

func main() {
	host.Serve(80, []host.Call{{Path: "/lists/%d"}}, func(mux *http.ServeMux) {
		one := list{make([]int, 12)}
		for i := range one.pages {
			one.pages[i] = i * 99
		}
		mux.HandleFunc("GET /lists/{number}", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(one.sum()), 10))
		})
	})
}
