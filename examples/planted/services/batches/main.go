// Command batches counts the words of texts with a few workers that stay.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type task struct {
	text  []byte
	reply chan int
}

func work(tasks <-chan task) {
	for one := range tasks {
		words, inside := 0, false
		for _, char := range one.text {
			isSpace := char == ' ' || char == '\n'
			if inside && isSpace {
				words++
			}
			inside = !isSpace
		}
		one.reply <- words
	}
}

func main() {
	host.Serve(50, []host.Call{{Path: "/words/%d"}}, func(mux *http.ServeMux) {
		tasks := make(chan task, 64)
		for range 6 {
			go work(tasks)
		}
		text := sample.Text(380, 20_000)
		mux.HandleFunc("GET /words/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			one := task{text[from%5000:], make(chan int, 1)}
			select {
			case tasks <- one:
			case <-r.Context().Done():
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(<-one.reply), 10))
		})
	})
}
