// Command devices takes the positions of trackers that sign in with a key each time.
package main

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"sync"

	"example.com/services/internal/host"
)

type device struct {
	salt, key []byte
	positions int
}

type fleet struct {
	mu      sync.Mutex
	devices map[string]*device
}

// derive makes the stored form of a key.
func derive(key string, salt []byte) ([]byte, error) {
	return pbkdf2.Key(sha256.New, key, salt, 600, 32)
}

// report stores a position if the key is right.
func (f *fleet) report(id, key string) bool {
	f.mu.Lock()
	one := f.devices[id]
	f.mu.Unlock()
	derived, err := derive(key, one.salt)
	if err != nil || subtle.ConstantTimeCompare(derived, one.key) == 0 {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	one.positions++
	return true
}

func main() {
	host.Serve(70, []host.Call{{Method: http.MethodPost, Path: "/positions/a?key=k%d", Range: 3}}, func(mux *http.ServeMux) {
		salt := []byte("0123456789abcdef")
		key, _ := derive("k1", salt)
		f := &fleet{devices: map[string]*device{"a": {salt: salt, key: key}}}
		mux.HandleFunc("POST /positions/{device}", func(w http.ResponseWriter, r *http.Request) {
			if !f.report(r.PathValue("device"), r.URL.Query().Get("key")) {
				http.Error(w, "wrong key", http.StatusForbidden)
			}
		})
	})
}
