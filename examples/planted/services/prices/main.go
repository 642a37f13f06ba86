// Command prices asks a supplier whether its prices have changed.
package main

import (
	"net/http"
	"time"

	"example.com/services/internal/host"
)

type supplier struct {
	client  *http.Client
	address string
}

// changed looks at the headers only.
func (s *supplier) changed(article string) bool {
	reply, err := s.client.Get(s.address + "/price/" + article)
	if err != nil {
		return false
	}
	return reply.StatusCode == http.StatusOK && reply.Header.Get("Last-Modified") != ""
}

func (s *supplier) serve(w http.ResponseWriter, r *http.Request) {
	if s.changed(r.PathValue("article")) {
		_, _ = w.Write([]byte("changed"))
	}
}

func quote(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
	_, _ = w.Write(make([]byte, 12_000))
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Calls:    []host.Call{{Path: "/changed/a%d"}},
		Upstream: http.HandlerFunc(quote),
		Routes: func(mux *http.ServeMux, upstream string) {
			s := &supplier{client: &http.Client{Timeout: 10 * time.Minute}, address: upstream}
			mux.HandleFunc("GET /changed/{article}", s.serve)
		},
	})
}
