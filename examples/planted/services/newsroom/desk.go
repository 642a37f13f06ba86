package main

import (
	"bytes"
	"io"
	"regexp"
	"sync"

	"example.com/services/internal/sample"
)

// headlinesMax is more than two days of news.
const headlinesMax = 20_000

type desk struct {
	mu        sync.Mutex
	headlines [][]byte
	// printed editions of the last months, which are searched before a text is bought twice.
	printed [][]byte
}

func openDesk() *desk {
	d := &desk{}
	for number := range uint64(600) {
		d.printed = append(d.printed, sample.Text(number, 40<<10))
	}
	return d
}

// bought tells whether an edition begins as a text does.
func (d *desk) bought(text []byte) bool {
	for _, edition := range d.printed {
		if bytes.HasPrefix(edition, text[:min(len(text), 40)]) {
			return true
		}
	}
	return false
}

// receive reads a text and keeps its first line.
func (d *desk) receive(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	headline, _, _ := bytes.Cut(text, []byte("\n"))
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.headlines) == headlinesMax {
		d.headlines = d.headlines[1:]
	}
	d.headlines = append(d.headlines, headline)
	return text, nil
}

func (d *desk) letters() (count int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, headline := range d.headlines {
		count += len(headline)
	}
	return count
}

var private = regexp.MustCompile(`(?i)(\+\d{2} \d+ \d+)|([a-z.]+@[a-z.]+\.[a-z]{2,})|(embargo \d{4}-\d{2}-\d{2})|(off the record.*$)`)

// redactions counts what is blackened before a text is printed.
func redactions(text []byte) int { return len(private.FindAllIndex(text, -1)) }
