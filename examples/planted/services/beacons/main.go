// Command beacons forwards the positions of ships to those who follow them.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/ships/%d/position", Range: 700}}, func(mux *http.ServeMux) {
		var fleet [700]*ship
		for i := range fleet {
			fleet[i] = &ship{}
			go fleet[i].forward()
		}
		mux.HandleFunc("POST /ships/{ship}/position", func(w http.ResponseWriter, r *http.Request) {
			number := web.Number(r, "ship")
			fleet[number].report(position{number * 3, number * 7})
			w.WriteHeader(http.StatusAccepted)
		})
	})
}
