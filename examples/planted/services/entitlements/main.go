// Command entitlements says which lectures students may hear, and how full they are.
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

type register struct {
	mu   sync.Mutex
	db   *sql.DB
	last map[int]int64
}

// enrol writes down that a student hears a lecture.
func (r *register) enrol(ctx context.Context, student, lecture int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	result, err := r.db.ExecContext(ctx, "INSERT INTO lectures (student, lecture) VALUES (?, ?)", student, lecture)
	if err != nil {
		return err
	}
	r.last[student], err = result.RowsAffected()
	return err
}

type halls struct {
	lock  sync.RWMutex
	seats []int
	asked int
}

// free counts the free seats, and how often somebody asked.
func (h *halls) free(floor int) (seats int) {
	h.lock.Lock()
	h.asked++
	h.lock.Unlock()
	h.lock.RLock()
	defer h.lock.RUnlock()
	for turn := range 25 {
		for _, count := range h.seats {
			seats += count + turn*floor
		}
	}
	return seats
}

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/students/%d/lectures"}, {Weight: 3, Path: "/floors/%d/free"}}, func(mux *http.ServeMux) {
		reg := &register{db: memdb.Open(6 * time.Millisecond), last: map[int]int64{}}
		h := &halls{seats: make([]int, 3500)}
		mux.HandleFunc("POST /students/{student}/lectures", func(w http.ResponseWriter, r *http.Request) {
			student, _ := strconv.Atoi(r.PathValue("student"))
			if err := reg.enrol(r.Context(), student, student%40); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
			}
		})
		mux.HandleFunc("GET /floors/{floor}/free", func(w http.ResponseWriter, r *http.Request) {
			floor, _ := strconv.Atoi(r.PathValue("floor"))
			var group sync.WaitGroup
			for wing := range 8 {
				group.Go(func() { h.free(floor + wing) })
			}
			group.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
	})
}
