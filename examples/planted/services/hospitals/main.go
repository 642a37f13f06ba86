// Command hospitals shows which beds are free.
package main

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
)

type wards struct{ db *sql.DB }

// free counts the free beds of a ward, and waits for the nurse while it has them.
func (w *wards) free(ctx context.Context, ward int) (count int, err error) {
	rows, err := w.db.QueryContext(ctx, "SELECT id, name, state FROM beds WHERE ward = ? LIMIT 6", ward)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, state int
		var name string
		if err := rows.Scan(&id, &name, &state); err != nil {
			return 0, err
		}
		count += state & 1
	}
	time.Sleep(3 * time.Millisecond)
	return count, rows.Err()
}

func main() {
	host.Serve(60, []host.Call{{Path: "/wards/%d"}}, func(mux *http.ServeMux) {
		db := memdb.Open(9 * time.Millisecond)
		db.SetMaxOpenConns(1)
		w := &wards{db}
		mux.HandleFunc("GET /wards/{ward}", func(reply http.ResponseWriter, r *http.Request) {
			ward, _ := strconv.Atoi(r.PathValue("ward"))
			count, err := w.free(r.Context(), ward)
			if err != nil {
				http.Error(reply, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = reply.Write(strconv.AppendInt(nil, int64(count), 10))
		})
	})
}
