// Command bookshelves shows the books of readers with their authors.
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

type book struct {
	id, pages int
	title     string
	authors   []string
}

type shelf struct{ db *sql.DB }

func (s *shelf) books(ctx context.Context, reader int) ([]book, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, title, pages FROM books WHERE reader = ? LIMIT 15", reader)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := make([]book, 0, 15)
	for rows.Next() {
		var one book
		if err := rows.Scan(&one.id, &one.title, &one.pages); err != nil {
			return nil, err
		}
		if one.authors, err = s.authors(ctx, one.id); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

func (s *shelf) authors(ctx context.Context, book int) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, name, born FROM authors WHERE book = ? LIMIT 2", book)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := make([]string, 0, 2)
	for rows.Next() {
		var id, born int
		var name string
		if err := rows.Scan(&id, &name, &born); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

func main() {
	host.Serve(65, []host.Call{{Path: "/readers/%d/books"}}, func(mux *http.ServeMux) {
		s := &shelf{memdb.Open(200 * time.Microsecond)}
		mux.HandleFunc("GET /readers/{reader}/books", func(w http.ResponseWriter, r *http.Request) {
			reader, _ := strconv.Atoi(r.PathValue("reader"))
			list, err := s.books(r.Context(), reader)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			pages := 0
			for _, one := range list {
				pages += one.pages
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(pages), 10))
		})
	})
}
