// Command scribes writes the minutes of council meetings to a file.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type speech struct {
	speaker string
	lines   []string
}

type meeting []speech

// minutes writes who said what.
func (m meeting) minutes(w io.Writer) error {
	for number, one := range m {
		if _, err := fmt.Fprintf(w, "%d. %s\n", number+1, one.speaker); err != nil {
			return err
		}
		for _, line := range one.lines {
			if err := indented(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

func indented(w io.Writer, line string) error {
	_, err := io.WriteString(w, "    "+line+"\n")
	return err
}

func (m meeting) keep(folder string, number int) error {
	file, err := os.Create(filepath.Join(folder, fmt.Sprintf("meeting-%d.txt", number%16)))
	if err != nil {
		return err
	}
	defer file.Close()
	return m.minutes(file)
}

func main() {
	words := sample.Words(101, 1000)
	var council meeting
	for i := range 12 {
		council = append(council, speech{words[i], words[i*20 : i*20+16]})
	}
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/meetings/%d/minutes"}}, func(mux *http.ServeMux) {
		folder, err := os.MkdirTemp("", "minutes")
		if err != nil {
			panic(err)
		}
		mux.Handle("POST /meetings/{number}/minutes", web.Handler(func(_ http.ResponseWriter, r *http.Request) error {
			return council.keep(folder, web.Number(r, "number"))
		}))
	})
}
