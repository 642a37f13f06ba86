// Command courses lists the courses of a school by their marks.
package main

import (
	"context"
	"database/sql"
	"net/http"
	"sort"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/memdb"
	"example.com/services/internal/sample"
)

type course struct{ id, marks int }

type school struct {
	db  *sql.DB
	all []course
}

// seats reads how many seats a course has.
func (s *school) seats(ctx context.Context, id int) (seats int, err error) {
	var name string
	err = s.db.QueryRowContext(ctx, "SELECT id, name, seats FROM courses WHERE id = ? LIMIT 1", id).Scan(&id, &name, &seats)
	return seats, err
}

// best has the courses with the best marks first.
func (s *school) best() []course {
	sorted := append(make([]course, 0, len(s.all)), s.all...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].marks < sorted[j].marks })
	return sorted[:10]
}

func (s *school) free(ctx context.Context) (sum int, err error) {
	for _, one := range s.best() {
		seats, err := s.seats(ctx, one.id)
		if err != nil {
			return 0, err
		}
		sum += seats
	}
	return sum, nil
}

func main() {
	host.Serve(60, []host.Call{{Path: "/schools/%d/free"}}, func(mux *http.ServeMux) {
		s := &school{db: memdb.Open(150 * time.Microsecond)}
		for i, marks := range sample.Numbers(362, 300, 600) {
			s.all = append(s.all, course{i, marks})
		}
		mux.HandleFunc("GET /schools/{number}/free", func(w http.ResponseWriter, r *http.Request) {
			sum, err := s.free(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(sum), 10))
		})
	})
}
