// Command rentals lends cars.
package main

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
)

type station struct {
	mu     sync.Mutex
	keys   map[int]bool
	db     *sql.DB
	orders *sql.DB
}

// rent writes the contract and hands over the key.
func (s *station) rent(ctx context.Context, car int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.db.ExecContext(ctx, "INSERT INTO contracts (car) VALUES (?)", car); err != nil {
		return err
	}
	s.keys[car] = !s.keys[car]
	return nil
}

// contracts counts the contracts of a customer.
func (s *station) contracts(ctx context.Context, customer int) (count int, err error) {
	rows, err := s.orders.QueryContext(ctx, "SELECT id, name, days FROM contracts WHERE customer = ? LIMIT 4", customer)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		count++
	}
	return count, rows.Err()
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/cars/%d", Range: 200}, {Path: "/customers/%d"}}, func(mux *http.ServeMux) {
		s := &station{keys: map[int]bool{}, db: memdb.Open(8 * time.Millisecond), orders: memdb.Open(16 * time.Millisecond)}
		s.orders.SetMaxOpenConns(1)
		mux.HandleFunc("POST /cars/{car}", func(w http.ResponseWriter, r *http.Request) {
			car, _ := strconv.Atoi(r.PathValue("car"))
			if err := s.rent(r.Context(), car); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
		mux.HandleFunc("GET /customers/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			count, err := s.contracts(r.Context(), number)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
		})
	})
}
