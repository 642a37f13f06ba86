// Command keys checks the API keys of other services, and issues sessions to them.
package main

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"math/big"
	"net/http"

	"example.com/services/internal/host"
)

type account struct{ salt, hash []byte }

type vault struct{ accounts map[string]account }

func derive(secret string, salt []byte) []byte {
	key, err := pbkdf2.Key(sha256.New, secret, salt, 12_000, 32)
	if err != nil {
		panic(err)
	}
	return key
}

// verify runs for every request with a key.
func (v *vault) verify(name, secret string) bool {
	one, ok := v.accounts[name]
	return ok && subtle.ConstantTimeCompare(derive(secret, one.salt), one.hash) == 1
}

func (v *vault) protect(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !v.verify("billing", "s3cret") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

// code is a random text that people can type.
func code(length int) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	text := make([]byte, length)
	for i := range text {
		at, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			panic(err)
		}
		text[i] = letters[at.Int64()]
	}
	return string(text)
}

func issue(w http.ResponseWriter, _ *http.Request) {
	sheet := make([]string, 150)
	for i := range sheet {
		sheet[i] = code(24)
	}
	_, _ = w.Write([]byte(hex.EncodeToString([]byte(sheet[0]))))
}

func main() {
	host.Serve(40, []host.Call{{Weight: 1, Path: "/balance"}, {Weight: 3, Method: http.MethodPost, Path: "/sheets"}}, func(mux *http.ServeMux) {
		salt := []byte("0123456789abcdef")
		v := &vault{accounts: map[string]account{"billing": {salt, derive("s3cret", salt)}}}
		mux.HandleFunc("GET /balance", v.protect(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("1200")) }))
		mux.HandleFunc("POST /sheets", issue)
	})
}
