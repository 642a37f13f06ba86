// Package staff lets employees in.
package staff

import (
	"net/http"

	"golang.org/x/crypto/bcrypt"
)

// Directory has the secrets of employees.
type Directory struct{ hashes map[string][]byte }

// New makes a directory in which everybody has the same secret.
func New(secret string, names ...string) (*Directory, error) {
	d := &Directory{hashes: map[string][]byte{}}
	for _, name := range names {
		hash, err := bcrypt.GenerateFromPassword([]byte(secret), bcrypt.MinCost)
		if err != nil {
			return nil, err
		}
		d.hashes[name] = hash
	}
	return d, nil
}

// Only lets those in who know their secret.
func (d *Directory) Only(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hash := d.hashes[r.URL.Query().Get("as")]
		if bcrypt.CompareHashAndPassword(hash, []byte(r.URL.Query().Get("secret"))) != nil {
			http.Error(w, "unknown", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}
