// Command exports writes tables as CSV: answers for browsers, files for the archive.
package main

import (
	"net/http"
	"os"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type exporter struct {
	names   []string
	amounts []int
	archive *os.File
}

// table has one line a row.
func (e *exporter) table(from, count int) string {
	text := "name;amount\n"
	for i := from; i < from+count; i++ {
		text += e.names[i] + ";" + strconv.Itoa(e.amounts[i]) + "\n"
	}
	return text
}

func (e *exporter) download(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	w.Header().Set("Content-Type", "text/csv")
	_, _ = w.Write([]byte(e.table(from%1000, 700)))
}

// keep appends the rows to the archive, field by field.
func (e *exporter) keep(from, count int) error {
	for i := from; i < from+count; i++ {
		if _, err := e.archive.WriteString(e.names[i]); err != nil {
			return err
		}
		if _, err := e.archive.WriteString(";" + strconv.Itoa(e.amounts[i]) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) store(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.PathValue("from"))
	if _, err := e.archive.Seek(0, 0); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := e.keep(from%1000, 900); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func main() {
	host.Serve(40, []host.Call{{Path: "/export/%d"}, {Method: http.MethodPost, Path: "/archive/%d"}}, func(mux *http.ServeMux) {
		archive, err := os.CreateTemp("", "archive-*.csv")
		if err != nil {
			panic(err)
		}
		_ = os.Remove(archive.Name())
		e := &exporter{names: sample.Words(3, 2000), amounts: sample.Numbers(4, 2000, 90_000), archive: archive}
		mux.HandleFunc("GET /export/{from}", e.download)
		mux.HandleFunc("POST /archive/{from}", e.store)
	})
}
