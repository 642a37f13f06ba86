// Command transcripts prepares the subtitles of lectures.
package main

import (
	"bytes"
	"net/http"
	"strconv"
	"time"
	"unicode"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type lecture struct{ lines [][]byte }

// sentence begins with a capital.
func sentence(line []byte) string {
	runes := []rune(string(line))
	for i := range runes {
		if i == 0 || runes[i-1] == '.' {
			runes[i] = unicode.ToUpper(runes[i])
		}
	}
	return string(runes)
}

const line = 2400 * time.Millisecond

// stamp is the time during which a line is shown.
func stamp(start time.Time, number int) string {
	from := start.Add(time.Duration(number) * line)
	return from.Format("15:04:05.000") + " --> " + from.Add(line).Format("15:04:05.000")
}

func (l *lecture) subtitles(to []byte, start time.Time) []byte {
	for i, line := range l.lines {
		to = append(to, stamp(start, i)...)
		to = append(to, ' ')
		to = append(to, sentence(line)...)
		to = append(to, '\n')
	}
	return to
}

func main() {
	host.Serve(40, []host.Call{{Path: "/lectures/%d"}}, func(mux *http.ServeMux) {
		one := &lecture{bytes.Split(sample.Text(364, 5000), []byte("\n"))}
		mux.HandleFunc("GET /lectures/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(one.subtitles(make([]byte, 0, 8192), time.Unix(int64(number), 0)))
		})
	})
}
