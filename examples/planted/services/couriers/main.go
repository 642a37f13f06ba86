// Command couriers plans tours in the background and stores them.
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

type tour struct{ stops int }

type planner struct {
	queue chan tour
	db    *sql.DB
	done  int
}

// plan works on one tour after another.
func (p *planner) plan() {
	for one := range p.queue {
		time.Sleep(40 * time.Millisecond)
		p.done += one.stops
	}
}

// submit hands a tour to the planner.
func (p *planner) submit(one tour) { p.queue <- one }

// address reads where a customer lives.
func (p *planner) address(ctx context.Context, customer int) (string, error) {
	var id, weight int
	var street string
	err := p.db.QueryRowContext(ctx, "SELECT id, street, weight FROM customers WHERE id = ?", customer).Scan(&id, &street, &weight)
	return street, err
}

func main() {
	host.Serve(50, []host.Call{{Weight: 5, Method: http.MethodPost, Path: "/tours"}, {Weight: 8, Path: "/address/%d"}}, func(mux *http.ServeMux) {
		p := &planner{queue: make(chan tour, 8), db: memdb.Open(12 * time.Millisecond)}
		p.db.SetMaxOpenConns(1)
		go p.plan()
		mux.HandleFunc("POST /tours", func(http.ResponseWriter, *http.Request) { p.submit(tour{4}) })
		mux.HandleFunc("GET /address/{customer}", func(w http.ResponseWriter, r *http.Request) {
			customer, _ := strconv.Atoi(r.PathValue("customer"))
			street, err := p.address(r.Context(), customer)
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write([]byte(street))
		})
	})
}
