// Command lockers opens parcel lockers for couriers who send their number and their code with each request.
package main

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

// rounds are as many as a request may take; a courier's code has six digits.
const rounds = 1500

type courier struct{ salt, key []byte }

type station struct {
	couriers []courier
	opened   atomic.Int64
}

func derive(code string, salt []byte) []byte {
	key, err := pbkdf2.Key(sha256.New, code, salt, rounds, 32)
	if err != nil {
		panic(err)
	}
	return key
}

// signedIn checks the courier's code before each request.
func (s *station) signedIn(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		one := s.couriers[web.Number(r, "courier")%len(s.couriers)]
		if subtle.ConstantTimeCompare(derive(r.URL.Query().Get("code"), one.salt), one.key) != 1 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next(w, r)
	}
}

func (s *station) open(w http.ResponseWriter, _ *http.Request) {
	_ = web.Count(w, int(s.opened.Add(1)%96))
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPost, Path: "/couriers/%d/open?code=482915"}}, func(mux *http.ServeMux) {
		s := &station{}
		for i := range 50 {
			salt := []byte("salt of " + strconv.Itoa(i))
			s.couriers = append(s.couriers, courier{salt, derive("482915", salt)})
		}
		mux.HandleFunc("POST /couriers/{courier}/open", s.signedIn(s.open))
	})
}
