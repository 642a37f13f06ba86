// Command backoffice shows employees the stock of their shops.
package main

import (
	"log"
	"net/http"
	"strconv"

	"example.com/services/backoffice/staff"
	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

func main() {
	host.Serve(85, []host.Call{{Path: "/stock/%d?as=kim&secret=lantern"}}, func(mux *http.ServeMux) {
		employees, err := staff.New("lantern", "kim", "alex")
		if err != nil {
			log.Fatal(err)
		}
		pieces := sample.Numbers(322, 500, 90)
		mux.HandleFunc("GET /stock/{article}", employees.Only(func(w http.ResponseWriter, r *http.Request) {
			article, _ := strconv.Atoi(r.PathValue("article"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(pieces[article%len(pieces)]), 10))
		}))
	})
}
