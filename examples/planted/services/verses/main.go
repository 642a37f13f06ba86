// Command verses numbers the verses of poems that match, line by line.
package main

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type poem struct{ text string }

// rhymes are the lines that end like a word.
func (p *poem) rhymes(word string) (found []string) {
	for line := range strings.SplitSeq(p.text, "\n") {
		ending := regexp.MustCompile(regexp.QuoteMeta(word[len(word)-2:]) + `\W*$`)
		if ending.MatchString(line) {
			found = append(found, line)
		}
	}
	return found
}

type index struct{ words []string }

// known are the words of a poem that the index has.
func (i *index) known(p *poem) (count int) {
	for word := range strings.FieldsSeq(p.text) {
		if slices.Contains(i.words, word) {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(55, []host.Call{{Weight: 6, Path: "/poems/%d/rhymes"}, {Weight: 2, Path: "/poems/%d/known"}}, func(mux *http.ServeMux) {
		p, i := &poem{string(sample.Text(146, 2200))}, &index{words: sample.Keys("w", 1500)}
		mux.HandleFunc("GET /poems/{number}/rhymes", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(p.rhymes("amber"))), 10))
		})
		mux.HandleFunc("GET /poems/{number}/known", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(i.known(p)), 10))
		})
	})
}
