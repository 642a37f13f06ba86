// Command lyrics finds the lines of songs that rhyme.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type song struct{ verses []string }

// ending is the last three letters in reverse order, so that endings sort by sound.
func ending(word string) string {
	letters := []rune(word)
	last := letters[max(0, len(letters)-3):]
	turned := make([]rune, 0, 3)
	for i := len(last) - 1; i >= 0; i-- {
		turned = append(turned, last[i])
	}
	return string(turned)
}

func rhyme(a, b string) bool { return a != b && ending(a) == ending(b) }

// pairs counts lines next to each other, or with one between them.
func (s *song) pairs() (count int) {
	for i := range s.verses {
		for step := 1; step <= 4 && i+step < len(s.verses); step++ {
			if rhyme(s.verses[i], s.verses[i+step]) {
				count++
			}
		}
	}
	return count
}

type songbook []song

func (b songbook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = web.Count(w, b[web.Number(r, "number")%len(b)].pairs())
}

func main() {
	words := sample.Words(51, 9000)
	var book songbook
	for at := 0; at+450 <= len(words); at += 450 {
		one := song{words[at : at+450]}
		for i := range one.verses {
			one.verses[i] = "the river carries every " + one.verses[i]
		}
		book = append(book, one)
	}
	host.Run(host.Service{
		Everyday: 40,
		Calls:    []host.Call{{Path: "/songs/%d/rhymes"}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.Handle("GET /songs/{number}/rhymes", book) },
	})
}
