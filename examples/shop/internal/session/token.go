package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// ErrBadToken says that a token was not made here.
var ErrBadToken = errors.New("the session token is not valid")

// Claims say who is signed in.
type Claims struct {
	User   string   `json:"user"`
	Tenant string   `json:"tenant"`
	Roles  []string `json:"roles"`
}

var signingKey = []byte("an example key, not a secret")

// Sign makes a token for these claims.
func Sign(claims Claims) (string, error) {
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(body)
	return text + "." + base64.RawURLEncoding.EncodeToString(mac(text)), nil
}

// Verify reads the claims of a token made by Sign.
func Verify(token string) (Claims, error) {
	var claims Claims
	text, signature, ok := strings.Cut(token, ".")
	if !ok {
		return claims, ErrBadToken
	}
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, mac(text)) {
		return claims, ErrBadToken
	}
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return claims, ErrBadToken
	}
	return claims, json.Unmarshal(body, &claims)
}

func mac(text string) []byte {
	h := hmac.New(sha256.New, signingKey)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// HashPassword stretches a password; slow on purpose.
func HashPassword(password string) []byte {
	sum := sha256.Sum256([]byte(password))
	for range 40_000 {
		sum = sha256.Sum256(sum[:])
	}
	return sum[:]
}
