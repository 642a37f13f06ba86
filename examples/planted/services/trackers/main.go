// Command trackers shows who is in a room.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/trackers/presence"
)

func main() {
	host.Serve(80, []host.Call{{Method: http.MethodPut, Path: "/people/%d"}}, func(mux *http.ServeMux) {
		room := presence.NewRoom()
		mux.HandleFunc("PUT /people/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(room.Enter(number)), 10))
		})
	})
}
