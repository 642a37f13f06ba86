// Command freight lists the wagons of trains, and the keys of their seals.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
)

type wagon struct {
	id, weight int64
	owner      string
}

type yard struct{ db *sql.DB }

// wagonOf reads one wagon of a train.
func (y *yard) wagonOf(ctx context.Context, train, place int) (one wagon, err error) {
	row := y.db.QueryRowContext(ctx, "SELECT id, owner, weight FROM wagons WHERE train = ? AND place = ?", train, place)
	err = row.Scan(&one.id, &one.owner, &one.weight)
	return one, err
}

// wagons yields those of a train, front to back.
func (y *yard) wagons(ctx context.Context, train, count int) iter.Seq2[wagon, error] {
	return func(yield func(wagon, error) bool) {
		for place := range count {
			if !yield(y.wagonOf(ctx, train, place)) {
				return
			}
		}
	}
}

func (y *yard) weight(ctx context.Context, train int) (sum int64, err error) {
	for one, err := range y.wagons(ctx, train, 45) {
		if err != nil {
			return 0, err
		}
		sum += one.weight
	}
	return sum, nil
}

// sealKey is how customs name a seal.
func sealKey(country string, train, wagon, seal int) string {
	return fmt.Sprintf("%s/%05d/%03d-%08x", country, train, wagon, seal)
}

func sealKeys(train int) int {
	length := 0
	for wagon := range 45 {
		for seal := range 24 {
			length += len(sealKey("CH", train, wagon, seal*7919))
		}
	}
	return length
}

func main() {
	host.Serve(60, []host.Call{{Weight: 5, Path: "/trains/%d/weight"}, {Weight: 2, Path: "/trains/%d/seals"}}, func(mux *http.ServeMux) {
		y := &yard{db: memdb.Open(0)}
		y.db.SetMaxOpenConns(24)
		y.db.SetMaxIdleConns(24)
		mux.HandleFunc("GET /trains/{train}/weight", func(w http.ResponseWriter, r *http.Request) {
			train, _ := strconv.Atoi(r.PathValue("train"))
			sum, err := y.weight(r.Context(), train)
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, sum, 10))
		})
		mux.HandleFunc("GET /trains/{train}/seals", func(w http.ResponseWriter, r *http.Request) {
			train, _ := strconv.Atoi(r.PathValue("train"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(sealKeys(train)), 10))
		})
	})
}
