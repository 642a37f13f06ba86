// Command telegrams routes short messages to offices.
package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type telegram struct {
	To, Text string
	Words    int
}

type sorter struct {
	offices map[string]int
	log     *slog.Logger
}

// route counts the telegrams of an office. Details are only of use at the debug level.
func (s *sorter) route(batch []telegram) int {
	known := 0
	for i, one := range batch {
		office, ok := s.offices[one.To]
		s.log.Debug("routed", "number", i, "to", one.To, "office", office, "telegram", fmt.Sprintf("%+v", one))
		if ok {
			known++
		}
	}
	return known
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/batches"}}, func(mux *http.ServeMux) {
		quiet := slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelInfo}))
		s := &sorter{offices: map[string]int{}, log: quiet}
		batch := make([]telegram, 0, 120)
		for i, word := range sample.Words(11, 120) {
			s.offices[word] = i
			batch = append(batch, telegram{To: word, Text: "arrived", Words: i})
		}
		mux.HandleFunc("POST /batches", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(w, s.route(batch))
		})
	})
}
