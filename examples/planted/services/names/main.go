// Command names learns the names in lists that are uploaded.
package main

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const namesMax = 4000

type dictionary struct {
	mu    sync.Mutex
	names []string
	next  int
}

// learn keeps the first word of each entry.
func (d *dictionary) learn(entries io.Reader) (int, error) {
	reader, count := bufio.NewReader(entries), 0
	for {
		entry, err := reader.ReadString('\n')
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		d.keep(strings.SplitN(entry, " ", 2)[0])
		count++
	}
}

func (d *dictionary) keep(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.names) < namesMax {
		d.names = append(d.names, name)
		return
	}
	d.names[d.next%namesMax] = name
	d.next++
}

func main() {
	var list []byte
	for i := range 20 {
		list = append(list, strings.ReplaceAll(string(sample.Text(uint64(i), 9<<10)), "\n", " ")...)
		list = append(list, '\n')
	}
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/lists", Body: func(int) []byte { return list }}}, func(mux *http.ServeMux) {
		d := &dictionary{}
		mux.HandleFunc("POST /lists", func(w http.ResponseWriter, r *http.Request) {
			count, err := d.learn(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
		})
	})
}
