// Command almanacs answers on which days a saint, a star and a weather rule meet.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type entry struct{ day, rule int }

type almanac struct {
	bySaint map[string][]entry
	byStar  map[string]map[int]bool
	saints  []string
	stars   []string
}

func newAlmanac() *almanac {
	a := &almanac{bySaint: map[string][]entry{}, byStar: map[string]map[int]bool{}, saints: sample.Keys("saint ", 700), stars: sample.Keys("star ", 300)}
	for i, saint := range a.saints {
		for day := range 6 {
			a.bySaint[saint] = append(a.bySaint[saint], entry{(i*31 + day*61) % 366, day})
		}
	}
	for i, star := range a.stars {
		a.byStar[star] = map[int]bool{}
		for day := 0; day < 366; day += 1 + i%5 {
			a.byStar[star][day] = true
		}
	}
	return a
}

// meetings of a saint's days with those of the stars.
func (a *almanac) meetings(saint string, rule int) (count int) {
	for _, star := range a.stars {
		days := a.byStar[star]
		for _, one := range a.bySaint[saint] {
			if days[one.day] && one.rule != rule {
				count++
			}
		}
	}
	return count
}

func (a *almanac) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	count := 0
	for i := 0; i < 3; i++ {
		count += a.meetings(a.saints[(number+i*7)%len(a.saints)], number%6)
	}
	w.Write(strconv.AppendInt(nil, int64(count), 10))
}

func main() {
	host.Serve(50, []host.Call{{Path: "/saints/%d"}}, func(mux *http.ServeMux) {
		a := newAlmanac()
		mux.HandleFunc("GET /saints/{number}", a.serve)
	})
}
