// Command policies compares insurance policies with the ones that were agreed, and numbers claims.
package main

import (
	"crypto/rand"
	"encoding/base32"
	"net/http"
	"reflect"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type cover struct {
	Risk  string
	Limit *int
	Notes []string
}

type policy struct {
	Holder string
	Covers map[string]cover
}

// isAgreed says whether nothing was changed.
func isAgreed(one, agreed policy) bool { return reflect.DeepEqual(one, agreed) }

func newPolicy(risks []string) policy {
	p := policy{Holder: "ada", Covers: map[string]cover{}}
	for i, risk := range risks {
		p.Covers[risk] = cover{risk, &i, []string{"own risk", "abroad"}}
	}
	return p
}

type claim struct{ number string }

// open gives a claim its number.
func open() claim {
	random := make([]byte, 10)
	_, _ = rand.Read(random)
	return claim{base32.StdEncoding.EncodeToString(random)}
}

func openAll(count int) (length int) {
	for range count {
		length += len(open().number)
	}
	return length
}

func main() {
	host.Serve(55, []host.Call{{Weight: 2, Path: "/policies/%d"}, {Weight: 1, Method: http.MethodPost, Path: "/claims"}}, func(mux *http.ServeMux) {
		risks := sample.Keys("risk", 400)
		one, agreed := newPolicy(risks), newPolicy(risks)
		mux.HandleFunc("GET /policies/{number}", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendBool(nil, isAgreed(one, agreed)))
		})
		mux.HandleFunc("POST /claims", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(openAll(14000)), 10))
		})
	})
}
