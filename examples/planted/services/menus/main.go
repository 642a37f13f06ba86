// Command menus prints menus, and mixes the colors of their pictures.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type dish struct {
	name  string
	cents int
}

// menu has a line for each dish.
func menu(dishes []dish) string {
	var b strings.Builder
	b.WriteString("<ol>")
	for _, one := range dishes {
		b.WriteString("<li>")
		b.WriteString(one.name)
		b.WriteString("<b>")
		b.WriteString(strconv.Itoa(one.cents))
		b.WriteString("</b></li>")
	}
	b.WriteString("</ol>")
	return b.String()
}

type mixer struct{ channels, length int }

// planes has the values of each channel.
func (m mixer) planes() [][]float32 {
	all := make([][]float32, m.channels)
	for i := range all {
		all[i] = make([]float32, m.length)
	}
	return all
}

func (m mixer) mix(seed int) float32 {
	planes := m.planes()
	for i, plane := range planes {
		for at := 0; at < len(plane); at += 16 {
			plane[at] = float32(at * (seed + i))
		}
	}
	return planes[0][m.length-16] + planes[m.channels-1][16]
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/menus/%d"}, {Weight: 1, Path: "/mix/%d"}}, func(mux *http.ServeMux) {
		m := mixer{channels: 4, length: 20_000}
		var dishes []dish
		for i, name := range sample.Words(204, 6000) {
			dishes = append(dishes, dish{name, i})
		}
		mux.HandleFunc("GET /menus/{number}", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(menu(dishes)[:700]))
		})
		mux.HandleFunc("GET /mix/{seed}", func(w http.ResponseWriter, r *http.Request) {
			seed, _ := strconv.Atoi(r.PathValue("seed"))
			_, _ = fmt.Fprint(w, m.mix(seed))
		})
	})
}
