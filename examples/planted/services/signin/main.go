// Command signin checks who is there, on each request.
package main

import (
	"net/http"

	"golang.org/x/crypto/bcrypt"

	"example.com/services/internal/host"
)

type users struct{ hashes map[string][]byte }

func (u *users) authenticate(name, password string) bool {
	return bcrypt.CompareHashAndPassword(u.hashes[name], []byte(password)) == nil
}

func (u *users) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if !u.authenticate("ada", "correct horse") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_, _ = w.Write([]byte("welcome"))
}

func main() {
	host.Serve(97, []host.Call{{Path: "/home"}}, func(mux *http.ServeMux) {
		hash, err := bcrypt.GenerateFromPassword([]byte("correct horse"), 8)
		if err != nil {
			panic(err)
		}
		mux.Handle("GET /home", &users{hashes: map[string][]byte{"ada": hash}})
	})
}
