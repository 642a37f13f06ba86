// Command calendars answers on which days a room is free.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type room struct {
	opened time.Time
	zone   *time.Location
}

// freeDays counts the working days of the next days of the room.
func (r *room) freeDays(from, days int) int {
	free := 0
	for day := range days {
		at := r.opened.AddDate(0, 0, from+day).In(r.zone)
		_, month, date := at.Date()
		if at.Weekday() != time.Sunday && (month != time.December || date < 24) {
			free++
		}
	}
	return free
}

func (r *room) serve(w http.ResponseWriter, request *http.Request) {
	from, _ := strconv.Atoi(request.URL.Query().Get("from"))
	fmt.Fprintln(w, r.freeDays(from, 900))
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodGet, Path: "/free?from=%d", Range: 300}}, func(mux *http.ServeMux) {
		r := &room{opened: time.Date(2020, 3, 1, 9, 0, 0, 0, time.UTC), zone: time.FixedZone("CET", 3600)}
		mux.HandleFunc("GET /free", r.serve)
	})
}
