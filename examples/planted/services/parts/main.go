// Command parts finds spare parts in a database.
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

type part struct {
	id   int
	name string
	left int
}

// repository reads values of one table.
type repository[T any] struct {
	one  *sql.Stmt
	scan func(row *sql.Row) (T, error)
}

func (r *repository[T]) find(ctx context.Context, id int) (T, error) {
	return r.scan(r.one.QueryRowContext(ctx, id))
}

type machine struct{ parts []int }

// list reads the parts of a machine.
func list[T any](ctx context.Context, from *repository[T], ids []int) ([]T, error) {
	found := make([]T, 0, len(ids))
	for _, id := range ids {
		one, err := from.find(ctx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

func main() {
	host.Serve(50, []host.Call{{Path: "/machines/%d"}}, func(mux *http.ServeMux) {
		db := memdb.Open(150 * time.Microsecond)
		db.SetMaxOpenConns(64)
		db.SetMaxIdleConns(64)
		one, err := db.Prepare("SELECT id, name, left FROM parts WHERE id = ?")
		if err != nil {
			panic(err)
		}
		parts := &repository[part]{one: one, scan: func(row *sql.Row) (part, error) {
			var one part
			return one, row.Scan(&one.id, &one.name, &one.left)
		}}
		whole := machine{parts: make([]int, 70)}
		mux.HandleFunc("GET /machines/{id}", func(w http.ResponseWriter, r *http.Request) {
			found, err := list(r.Context(), parts, whole.parts)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(found)), 10))
		})
	})
}
