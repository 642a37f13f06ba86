// Command orchards lists the trees of orchards with their pickings, and prints codes for crates.
package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
)

type orchard struct{ db *sql.DB }

// picked sums up the pickings of a tree.
func (o *orchard) picked(ctx context.Context, tree int64) (sum int64, err error) {
	rows, err := o.db.QueryContext(ctx, "SELECT id, day, kilos FROM pickings WHERE tree = ? LIMIT 2", tree)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, kilos int64
		var day string
		if err := rows.Scan(&id, &day, &kilos); err != nil {
			return 0, err
		}
		sum += kilos
	}
	return sum, rows.Err()
}

// harvest goes through the trees of a row.
func (o *orchard) harvest(ctx context.Context, row int) (sum int64, err error) {
	trees, err := o.db.QueryContext(ctx, "SELECT id, sort, age FROM trees WHERE row = ? LIMIT 40", row)
	if err != nil {
		return 0, err
	}
	defer trees.Close()
	for trees.Next() {
		var id, age int64
		var sort string
		if err := trees.Scan(&id, &sort, &age); err != nil {
			return 0, err
		}
		kilos, err := o.picked(ctx, id)
		if err != nil {
			return 0, err
		}
		sum += kilos
	}
	return sum, trees.Err()
}

type printer struct{ codes [][]byte }

// code is new for each crate.
func code() []byte {
	var secret [24]byte
	_, _ = rand.Read(secret[:])
	text := make([]byte, 48)
	hex.Encode(text, secret[:])
	return text
}

func (p *printer) print(crates int) {
	p.codes = make([][]byte, 0, crates)
	for range crates {
		p.codes = append(p.codes, code())
	}
}

func main() {
	host.Serve(50, []host.Call{{Weight: 2, Path: "/rows/%d/harvest"}, {Weight: 1, Method: http.MethodPost, Path: "/crates"}}, func(mux *http.ServeMux) {
		o := &orchard{db: memdb.Open(0)}
		o.db.SetMaxOpenConns(64)
		o.db.SetMaxIdleConns(64)
		mux.HandleFunc("GET /rows/{row}/harvest", func(w http.ResponseWriter, r *http.Request) {
			row, _ := strconv.Atoi(r.PathValue("row"))
			sum, err := o.harvest(r.Context(), row)
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, sum, 10))
		})
		mux.HandleFunc("POST /crates", func(w http.ResponseWriter, _ *http.Request) {
			one := &printer{}
			one.print(5000)
			_, _ = w.Write(one.codes[0])
		})
	})
}
