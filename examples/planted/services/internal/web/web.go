// Package web has what handlers share: numbers of paths, small answers, errors.
package web

import (
	"net/http"
	"strconv"
)

// Number is a part of the path, 0 if it is no number.
func Number(r *http.Request, name string) int {
	number, _ := strconv.Atoi(r.PathValue(name))
	return number
}

// Handler answers errors of a handler with status 500.
func Handler(serve func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

// Count answers with a number.
func Count(w http.ResponseWriter, number int) error {
	var text [20]byte
	_, err := w.Write(strconv.AppendInt(text[:0], int64(number), 10))
	return err
}
