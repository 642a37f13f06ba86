// Command signup checks forms with expressions that are compiled once.
package main

import (
	"net/http"
	"regexp"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

var (
	postcode = regexp.MustCompile(`^[A-Z]{2}-\d{5}$`)
	letters  = regexp.MustCompile(`^[a-z]+\d{0,3}$`)
)

type form struct{ name, code string }

type desk struct {
	forms []form
	cost  []int
}

func (d *desk) valid(from, count int) int {
	valid := 0
	for _, one := range d.forms[from : from+count] {
		if len(one.name) < 20 && letters.MatchString(one.name) && postcode.MatchString(one.code) {
			valid++
		}
	}
	return valid
}

// quota is what a region may use: the best split of a budget over months.
func (d *desk) quota(budget int) int {
	var best [512]int
	for _, cost := range d.cost {
		for left := min(budget, len(best)-1); left >= cost; left-- {
			best[left] = max(best[left], best[left-cost]+cost*3%17)
		}
	}
	return best[min(budget, len(best)-1)]
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Method: http.MethodPost, Path: "/forms/%d"}, {Weight: 3, Path: "/quota/%d"}}, func(mux *http.ServeMux) {
		d := &desk{}
		for i, name := range sample.Words(62, 3000) {
			d.forms = append(d.forms, form{name, "DE-" + strconv.Itoa(10_000+i)})
		}
		for _, cost := range sample.Numbers(63, 400, 60) {
			d.cost = append(d.cost, 1+cost)
		}
		mux.HandleFunc("POST /forms/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(d.valid(from%2900, 40)), 10))
		})
		mux.HandleFunc("GET /quota/{budget}", func(w http.ResponseWriter, r *http.Request) {
			budget, _ := strconv.Atoi(r.PathValue("budget"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(d.quota(budget)), 10))
		})
	})
}
