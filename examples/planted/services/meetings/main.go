// Command meetings checks proposals for meetings, and gives links to join them.
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type proposal struct {
	Title    string   `check:"required"`
	Room     string   `check:"required"`
	Minutes  int      `check:"positive"`
	Guests   []string `check:"required"`
	Comments string
}

// problems follows the tags of the fields.
func problems(of any) (found []string) {
	value := reflect.ValueOf(of)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		switch check := field.Tag.Get("check"); {
		case check == "required" && value.FieldByName(field.Name).IsZero():
			found = append(found, field.Name+" is missing")
		case check == "positive" && value.FieldByName(field.Name).Int() <= 0:
			found = append(found, field.Name+" is not positive")
		}
	}
	return found
}

type linker struct {
	random io.Reader
	base   string
}

// link can be guessed by nobody.
func (l *linker) link() (string, error) {
	var id [16]byte
	if _, err := io.ReadFull(l.random, id[:]); err != nil {
		return "", err
	}
	return l.base + strconv.FormatUint(uint64(id[0])<<8|uint64(id[1]), 36) + strings.Repeat("x", int(id[2]%4)), nil
}

func (l *linker) links(count int) (length int, err error) {
	for range count {
		link, err := l.link()
		if err != nil {
			return 0, err
		}
		length += len(link)
	}
	return length, nil
}

func main() {
	host.Serve(55, []host.Call{{Weight: 1, Method: http.MethodPost, Path: "/proposals/check"}, {Weight: 1, Method: http.MethodPost, Path: "/meetings/%d/links"}}, func(mux *http.ServeMux) {
		l := &linker{rand.Reader, "https://meet.example.org/"}
		var proposals []proposal
		for i, title := range sample.Words(121, 1400) {
			proposals = append(proposals, proposal{Title: title, Room: fmt.Sprint("room ", i%9), Minutes: i % 4, Guests: []string{"ada"}})
		}
		mux.HandleFunc("POST /proposals/check", func(w http.ResponseWriter, _ *http.Request) {
			count := 0
			for _, one := range proposals {
				count += len(problems(one))
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
		})
		mux.HandleFunc("POST /meetings/{meeting}/links", func(w http.ResponseWriter, _ *http.Request) {
			length, err := l.links(1500)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(length), 10))
		})
	})
}
