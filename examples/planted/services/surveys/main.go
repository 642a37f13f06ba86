// Command surveys measures land from pictures that a slow store keeps.
package main

import (
	"context"
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type store struct{ pictures [][]byte }

// load takes as long as the store needs to find a picture.
func (s *store) load(ctx context.Context, number int) ([]byte, error) {
	found := time.NewTimer(time.Duration(6+number%5) * time.Millisecond)
	defer found.Stop()
	select {
	case <-found.C:
		return s.pictures[number%len(s.pictures)], nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func area(picture []byte) (squares int) {
	for i := 1; i < len(picture); i++ {
		if picture[i] > picture[i-1] {
			squares++
		}
	}
	return squares
}

// measure adds up the areas of a field, picture after picture.
func (s *store) measure(ctx context.Context, field int) (sum int, err error) {
	for part := range 9 {
		picture, err := s.load(ctx, field+part)
		if err != nil {
			return 0, err
		}
		sum += area(picture)
	}
	return sum, nil
}

func main() {
	s := &store{}
	for i := range uint64(20) {
		s.pictures = append(s.pictures, sample.Bytes(i, 12<<10))
	}
	host.Serve(60, []host.Call{{Path: "/fields/%d/area"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /fields/{field}/area", web.Handler(func(w http.ResponseWriter, r *http.Request) (err error) {
			field := web.Number(r, "field")
			pprof.Do(r.Context(), pprof.Labels("region", strconv.Itoa(field%4)), func(ctx context.Context) {
				sum, failed := s.measure(ctx, field)
				if err = failed; err == nil {
					err = web.Count(w, sum)
				}
			})
			return err
		}))
	})
}
