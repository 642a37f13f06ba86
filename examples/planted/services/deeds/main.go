// Command deeds tells who owned a plot of land, and when.
package main

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
	"example.com/services/internal/web"
)

type registry struct{ db *sql.DB }

type deed struct {
	id     int64
	owner  string
	amount int64
}

func (g *registry) deedsOf(ctx context.Context, plot int) ([]deed, error) {
	rows, err := g.db.QueryContext(ctx, "SELECT id, name, amount FROM deeds WHERE plot = ? LIMIT 20", plot)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	deeds := make([]deed, 0, 20)
	for rows.Next() {
		var one deed
		if err := rows.Scan(&one.id, &one.owner, &one.amount); err != nil {
			return nil, err
		}
		deeds = append(deeds, one)
	}
	return deeds, rows.Err()
}

// notary of a deed.
func (g *registry) notary(ctx context.Context, id int64) (name string, err error) {
	var number, fee int64
	err = g.db.QueryRowContext(ctx, "SELECT id, name, amount FROM notaries WHERE deed = ?", id).Scan(&number, &name, &fee)
	return name, err
}

func (g *registry) history(ctx context.Context, plot int) (signed int, err error) {
	deeds, err := g.deedsOf(ctx, plot)
	if err != nil {
		return 0, err
	}
	for _, one := range deeds {
		name, err := g.notary(ctx, one.id)
		if err != nil {
			return 0, err
		}
		if name != "" {
			signed++
		}
	}
	return signed, nil
}

func main() {
	host.Serve(55, []host.Call{{Path: "/plots/%d/history"}}, func(mux *http.ServeMux) {
		g := &registry{memdb.Open(250 * time.Microsecond)}
		g.db.SetMaxOpenConns(5)
		g.db.SetMaxIdleConns(5)
		mux.Handle("GET /plots/{plot}/history", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			signed, err := g.history(r.Context(), web.Number(r, "plot"))
			if err != nil {
				return err
			}
			return web.Count(w, signed)
		}))
	})
}
