// Command caterers plans buffets: menus for a number of guests, and the shopping for them.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

func main() {
	host.Run(host.Service{Everyday: 30, Routes: routes, Calls: []host.Call{
		{Weight: 4, Path: "/menus/%d", Range: 400},
		{Weight: 2, Path: "/shopping/%d", Range: 1 << 20},
	}})
}

func routes(mux *http.ServeMux, _ string) {
	k := newKitchen()
	mux.Handle("GET /menus/{guests}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
		document, err := k.menuFor(web.Number(r, "guests")).render()
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		_, err = w.Write(document)
		return err
	}))
	mux.Handle("GET /shopping/{party}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
		return web.Count(w, k.shopping(web.Number(r, "party")).grams())
	}))
}
