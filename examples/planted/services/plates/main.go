// Command plates checks the number plates that a toll road's cameras read.
package main

import (
	"encoding/csv"
	"net/http"
	"regexp"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

// pattern is how a country writes its plates.
type pattern struct {
	country string
	shape   string
}

var patterns = []pattern{
	{"D", `^[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [1-9][0-9]{0,3}[EH]?$`},
	{"F", `^[A-HJ-NP-TV-Z]{2}-[0-9]{3}-[A-HJ-NP-TV-Z]{2}$`},
	{"NL", `^([A-Z]{2}-[0-9]{2}-[A-Z]{2}|[0-9]{2}-[A-Z]{3}-[0-9])$`},
	{"PL", `^[A-Z]{2,3} [0-9A-Z]{4,5}$`},
}

func (p pattern) fits(plate string) bool {
	ok, err := regexp.MatchString(p.shape, plate)
	return err == nil && ok
}

func countryOf(plate string) string {
	for _, p := range patterns {
		if p.fits(plate) {
			return p.country
		}
	}
	return "unknown"
}

func passages(w http.ResponseWriter, r *http.Request) error {
	rows, err := csv.NewReader(http.MaxBytesReader(w, r.Body, 1<<16)).ReadAll()
	if err != nil {
		return err
	}
	foreign := 0
	for _, row := range rows {
		if countryOf(row[1]) != "D" {
			foreign++
		}
	}
	return web.Count(w, foreign)
}

func main() {
	lines := strings.Repeat("gate 4,B-MX 1204\ngate 9,AB-123-CD\n", 6)
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/passages", Body: func(int) []byte { return []byte(lines) }}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.Handle("POST /passages", web.Handler(passages)) },
	})
}
