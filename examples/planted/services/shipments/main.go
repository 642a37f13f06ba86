// Command shipments reads shipments with their boxes by one query.
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

type shipment struct {
	id     int
	label  string
	weight int
}

type shipments struct{ db *sql.DB }

func (s *shipments) list(ctx context.Context) ([]shipment, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	rows, err := s.db.QueryContext(ctx, "SELECT s.id, b.label, b.weight FROM shipments s JOIN boxes b ON b.shipment = s.id LIMIT 50")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := make([]shipment, 0, 50)
	for rows.Next() {
		var one shipment
		if err := rows.Scan(&one.id, &one.label, &one.weight); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// loads spreads the weights over a number of trucks.
func loads(list []shipment, trucks int) int {
	var weights [64]int
	for round := range 200 {
		clear(weights[:])
		for i, one := range list {
			lightest := (i + round) % trucks
			for truck := range trucks {
				if weights[truck] < weights[lightest] {
					lightest = truck
				}
			}
			weights[lightest] += one.weight + round%3
		}
	}
	return weights[0]
}

func main() {
	host.Serve(45, []host.Call{{Path: "/loads/%d"}}, func(mux *http.ServeMux) {
		s := &shipments{db: memdb.Open(2 * time.Millisecond)}
		s.db.SetMaxOpenConns(32)
		s.db.SetMaxIdleConns(32)
		mux.HandleFunc("GET /loads/{trucks}", func(w http.ResponseWriter, r *http.Request) {
			trucks, _ := strconv.Atoi(r.PathValue("trucks"))
			list, err := s.list(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(loads(list, 8+trucks%24)), 10))
		})
	})
}
