// Command addresses prints labels for parcels.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type parcel struct {
	name, street, town string
	number             int
}

// printAll writes the language of label printers.
func printAll(to io.Writer, parcels []parcel) {
	for _, one := range parcels {
		_, _ = io.WriteString(to, "^XA^CF0,60^FO50,50^FD")
		_, _ = io.WriteString(to, one.name)
		_, _ = io.WriteString(to, "^FS^FO50,120^FD")
		_, _ = io.WriteString(to, one.street)
		_, _ = io.WriteString(to, "^FS^FO50,190^FD")
		_, _ = io.WriteString(to, one.town)
		_, _ = io.WriteString(to, "^FS^XZ\n")
	}
}

// sheet has all labels of a depot.
func sheet(parcels []parcel) []byte {
	var page bytes.Buffer
	printAll(&page, parcels)
	return page.Bytes()
}

type raster struct {
	width, height int
	dots          []byte
}

func newRaster(width, height int) *raster {
	return &raster{width, height, make([]byte, width*height/8)}
}

// code draws the bars of a parcel's number.
func code(number int) *raster {
	picture := newRaster(1600, 600)
	row := picture.width / 8
	for column := range row {
		if number>>(column%13)&1 == 0 {
			continue
		}
		for line := 0; line < picture.height; line += 4 {
			picture.dots[line*row+column] = 0xff
		}
	}
	return picture
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/depots/%d/labels"}, {Weight: 2, Path: "/parcels/%d/code"}}, func(mux *http.ServeMux) {
		var parcels []parcel
		for i, street := range sample.Words(81, 1200) {
			parcels = append(parcels, parcel{fmt.Sprint("customer ", i), street + " road " + strconv.Itoa(i), "Port " + street, i})
		}
		mux.HandleFunc("GET /depots/{depot}/labels", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(sheet(parcels)[:2000])
		})
		mux.HandleFunc("GET /parcels/{number}/code", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(code(number).dots[:1000])
		})
	})
}
