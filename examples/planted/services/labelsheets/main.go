// Command labelsheets lays out labels for parcels on sheets.
package main

import (
	"fmt"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type parcel struct {
	number, grams int
	city          string
}

type label struct{ lines [3]string }

func (p parcel) label() label {
	return label{[3]string{
		fmt.Sprintf("No. %08d", p.number),
		fmt.Sprint(p.city, " ", p.number%90000+10000),
		fmt.Sprintf("%d.%03d kg", p.grams/1000, p.grams%1000),
	}}
}

type sheet struct{ cells []cell }

type cell struct {
	x, y, width int
	text        string
}

// place puts the lines of all labels on a sheet.
func place(labels []label) sheet {
	var cells []cell
	for i, one := range labels {
		for row, line := range one.lines {
			for from := 0; from < len(line); from += 2 {
				cells = append(cells, cell{i%4*60 + from, i/4*30 + row*10, 2, line[from:min(from+2, len(line))]})
			}
		}
	}
	return sheet{cells}
}

func main() {
	host.Serve(60, []host.Call{{Path: "/sheets/%d"}}, func(mux *http.ServeMux) {
		cities := sample.Words(361, 40)
		mux.HandleFunc("GET /sheets/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			labels := make([]label, 120)
			for i := range labels {
				labels[i] = parcel{number*40 + i, number % 30_000, cities[i%len(cities)]}.label()
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(place(labels).cells)), 10))
		})
	})
}
