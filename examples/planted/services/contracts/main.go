// Command contracts shows contracts with a seal, and makes drafts of them.
package main

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"reflect"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type contract struct {
	Number int
	Buyer  string
	Seller string
	Cents  int64
	Months int
	Text   []byte
}

type draft struct {
	Buyer  string
	Seller string
	Cents  int64
	Months int
	Note   string
}

type archive struct {
	key       []byte
	contracts []contract
}

// seal proves that a contract is the one that was signed.
func (a *archive) seal(one *contract) string {
	mac := hmac.New(sha512.New, a.key)
	mac.Write([]byte(one.Buyer))
	mac.Write(one.Text)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// assign copies the fields that both structs have.
func assign(to, from any) {
	target, source := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i := range target.NumField() {
		name := target.Type().Field(i).Name
		if field := source.FieldByName(name); field.IsValid() {
			target.Field(i).Set(field)
		}
	}
}

func (a *archive) drafts() int {
	cents := int64(0)
	for range 12 {
		for i := range a.contracts {
			var copied draft
			assign(&copied, &a.contracts[i])
			cents += copied.Cents
		}
	}
	return int(cents)
}

func main() {
	host.Serve(55, []host.Call{{Weight: 3, Path: "/contracts/%d"}, {Weight: 1, Path: "/drafts"}}, func(mux *http.ServeMux) {
		a := &archive{key: sample.Bytes(71, 64)}
		for i := range 120 {
			a.contracts = append(a.contracts, contract{Number: i, Buyer: "ada", Seller: "ben", Cents: int64(i) * 990, Months: i % 36, Text: sample.Text(uint64(i), 160<<10)})
		}
		mux.HandleFunc("GET /contracts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			one := &a.contracts[number%len(a.contracts)]
			w.Header().Set("X-Seal", a.seal(one))
			_, _ = w.Write(one.Text[:900])
		})
		mux.HandleFunc("GET /drafts", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(a.drafts()), 10))
		})
	})
}
