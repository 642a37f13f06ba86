// Command meterlog stores readings of electricity meters.
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type journal struct {
	mu   sync.Mutex
	file *os.File
}

// store appends the quarter hours of a day, one per line.
func (j *journal) store(meter int, values []int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for quarter, value := range values {
		line := strconv.Itoa(meter) + ";" + strconv.Itoa(quarter) + ";" + strconv.Itoa(value) + "\n"
		if _, err := j.file.WriteString(line); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/meters/%d"}}, func(mux *http.ServeMux) {
		file, err := os.CreateTemp("", "readings")
		if err != nil {
			log.Fatal(err)
		}
		_ = os.Remove(file.Name())
		j := &journal{file: file}
		day := make([]int, 24)
		mux.HandleFunc("POST /meters/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			if err := j.store(number, day); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	})
}
