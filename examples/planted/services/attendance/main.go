// Command attendance shows how often students were there.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"example.com/services/attendance/tables"
	"example.com/services/internal/host"
)

type presence struct {
	Student int  `json:"student"`
	Day     int  `json:"day"`
	Late    bool `json:"late"`
}

type school struct{ rows []presence }

// days counts by student.
func (s *school) days(from int) int {
	most := 0
	for _, rows := range tables.GroupBy(s.rows[from:from+800], func(row presence) int { return row.Student }) {
		most = max(most, len(rows))
	}
	return most
}

// export has everything about some days.
func (s *school) export(w http.ResponseWriter, from int) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.rows[from : from+250])
}

func main() {
	host.Serve(35, []host.Call{{Path: "/most/%d"}, {Path: "/export/%d"}}, func(mux *http.ServeMux) {
		s := &school{}
		for i := range 3000 {
			s.rows = append(s.rows, presence{i * 7919 % 500, i / 20, i%11 == 0})
		}
		mux.HandleFunc("GET /most/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(s.days(from%2000)), 10))
		})
		mux.HandleFunc("GET /export/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			s.export(w, from%2000)
		})
	})
}
