// Command logsearch finds lines in the logs of other services.
package main

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

var suspicious = regexp.MustCompile(`(?i)(amber|copper)\s+(?:[a-z]+\s+){1,4}(velvet|walnut)\b.*(saddle|timber)`)

type archive struct{ lines [][]byte }

func (a *archive) scan(from, count int) int {
	hits := 0
	for _, line := range a.lines[from : from+count] {
		if suspicious.Match(line) {
			hits++
		}
	}
	return hits
}

func (a *archive) serve(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	_, _ = w.Write(strconv.AppendInt(nil, int64(a.scan(from%3000, 250)), 10))
}

func main() {
	host.Serve(50, []host.Call{{Path: "/search/%d"}}, func(mux *http.ServeMux) {
		a := &archive{lines: bytes.Split(sample.Text(12, 300<<10), []byte("\n"))}
		mux.HandleFunc("GET /search/{from}", a.serve)
	})
}
