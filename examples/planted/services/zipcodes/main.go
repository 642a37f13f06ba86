// Command zipcodes checks addresses by the rules of their countries.
package main

import (
	"net/http"
	"regexp"
	"strconv"

	"example.com/services/internal/host"
)

type check func(code string) bool

// matching checks a code by the forms that it may have.
func matching(forms ...string) check {
	return func(code string) bool {
		for _, form := range forms {
			if ok, err := regexp.MatchString("^(?:"+form+")$", code); err == nil && ok {
				return true
			}
		}
		return false
	}
}

var countries = map[string]check{
	"de": matching(`\d{5}`, `D-\d{5}`, `\d{5} [A-ZÄÖÜ][a-zäöüß]+`),
	"nl": matching(`[1-9]\d{3} [A-Z]{2}`, `[1-9]\d{3}[A-Z]{2}`),
	"uk": matching(`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}`),
}

func main() {
	host.Serve(45, []host.Call{{Path: "/check/de?code=%d"}, {Path: "/check/nl?code=%dAB"}, {Path: "/check/uk?code=SW1A%dAA", Range: 9}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /check/{country}", func(w http.ResponseWriter, r *http.Request) {
			ok := countries[r.PathValue("country")](r.URL.Query().Get("code"))
			_, _ = w.Write(strconv.AppendBool(nil, ok))
		})
	})
}
