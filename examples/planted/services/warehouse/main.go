// Command warehouse lists deliveries from a database.
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

type delivery struct {
	id    int
	place string
	boxes []string
}

type deliveries struct{ db *sql.DB }

func (d *deliveries) list(ctx context.Context) ([]delivery, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT id, place, weight FROM deliveries ORDER BY id LIMIT 40")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := make([]delivery, 0, 40)
	for rows.Next() {
		var one delivery
		var weight int
		if err := rows.Scan(&one.id, &one.place, &weight); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	for i := range list {
		if list[i].boxes, err = d.boxes(ctx, list[i].id); err != nil {
			return nil, err
		}
	}
	return list, rows.Err()
}

// boxes are those of one delivery.
func (d *deliveries) boxes(ctx context.Context, delivery int) ([]string, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT id, label, weight FROM boxes WHERE delivery = ? LIMIT 3", delivery)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	labels := make([]string, 0, 3)
	for rows.Next() {
		var id, weight int
		var label string
		if err := rows.Scan(&id, &label, &weight); err != nil {
			return nil, err
		}
		labels = append(labels, label)
	}
	return labels, rows.Err()
}

func (d *deliveries) serve(w http.ResponseWriter, r *http.Request) {
	list, err := d.list(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(len(list)), 10))
}

func main() {
	host.Serve(50, []host.Call{{Path: "/deliveries"}}, func(mux *http.ServeMux) {
		d := &deliveries{db: memdb.Open(300 * time.Microsecond)}
		d.db.SetMaxOpenConns(40)
		d.db.SetMaxIdleConns(40)
		mux.HandleFunc("GET /deliveries", d.serve)
	})
}
