// Command vaults keeps files and proves to its customers that none has changed.
package main

import (
	"crypto/sha512"
	"encoding/base64"
	"io"
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type file struct {
	name    string
	content []byte
}

type vault struct{ files []file }

// proof is a digest over the digests of a customer's files.
func (v *vault) proof(files []file) string {
	whole := sha512.New()
	for _, one := range files {
		part := fingerprint(one.content)
		whole.Write(part[:])
	}
	return base64.RawURLEncoding.EncodeToString(whole.Sum(nil))
}

func fingerprint(content []byte) [sha512.Size]byte { return sha512.Sum512(content) }

func newVault() *vault {
	v := &vault{}
	for i, name := range sample.Keys("file-", 200) {
		v.files = append(v.files, file{name, sample.Bytes(uint64(i), 24<<10)})
	}
	return v
}

func main() {
	host.Serve(55, []host.Call{{Weight: 3, Path: "/customers/%d/proof"}, {Path: "/customers/%d/files"}}, func(mux *http.ServeMux) {
		v := newVault()
		filesOf := func(r *http.Request) []file {
			from := web.Number(r, "customer") % 190
			return v.files[from : from+10]
		}
		mux.HandleFunc("GET /customers/{customer}/proof", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, v.proof(filesOf(r)))
		})
		mux.HandleFunc("GET /customers/{customer}/files", func(w http.ResponseWriter, r *http.Request) {
			for _, one := range filesOf(r) {
				_, _ = io.WriteString(w, one.name+"\n")
			}
		})
	})
}
