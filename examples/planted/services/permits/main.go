// Command permits says who may do what; the permits are in a database.
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

type permits struct {
	mu      sync.Mutex
	byOwner map[int]string
	db      *sql.DB
}

// permit asks the database for those that are not known yet.
func (p *permits) permit(ctx context.Context, owner int) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if name, ok := p.byOwner[owner]; ok {
		return name, nil
	}
	var id, level int
	var name string
	row := p.db.QueryRowContext(ctx, "SELECT id, name, level FROM permits WHERE owner = ?", owner)
	if err := row.Scan(&id, &name, &level); err != nil {
		return "", err
	}
	p.byOwner[owner] = name
	return name, nil
}

type limits struct {
	mu   sync.RWMutex
	byID []int
}

// allowed reads far more often than somebody writes, but each write comes with it.
func (l *limits) allowed(id int) int {
	l.mu.Lock()
	l.byID[id%len(l.byID)]++
	l.mu.Unlock()
	l.mu.RLock()
	defer l.mu.RUnlock()
	sum := 0
	for _, count := range l.byID {
		sum += count
	}
	return sum
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/permits/%d"}, {Weight: 1, Path: "/allowed/%d"}}, func(mux *http.ServeMux) {
		p := &permits{byOwner: map[int]string{}, db: memdb.Open(9 * time.Millisecond)}
		l := &limits{byID: make([]int, 90_000)}
		mux.HandleFunc("GET /permits/{owner}", func(w http.ResponseWriter, r *http.Request) {
			owner, _ := strconv.Atoi(r.PathValue("owner"))
			name, err := p.permit(r.Context(), owner)
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write([]byte(name))
		})
		mux.HandleFunc("GET /allowed/{id}", func(w http.ResponseWriter, r *http.Request) {
			id, _ := strconv.Atoi(r.PathValue("id"))
			var group sync.WaitGroup
			for i := range 10 {
				group.Go(func() { l.allowed(id + i) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
	})
}
