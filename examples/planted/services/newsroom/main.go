// Command newsroom takes the texts of agencies, removes what must not be printed, and keeps their headlines.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

func main() {
	host.Serve(55, []host.Call{
		{Weight: 2, Method: http.MethodPost, Path: "/texts/%d", Body: dispatch},
		{Method: http.MethodGet, Path: "/headlines"},
	}, func(mux *http.ServeMux) {
		desk := openDesk()
		mux.Handle("POST /texts/{number}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			text, err := desk.receive(http.MaxBytesReader(w, r.Body, 64<<10))
			if err != nil {
				return err
			}
			if desk.bought(text) {
				return web.Count(w, 0)
			}
			return web.Count(w, redactions(text[:min(len(text), 3<<10)]))
		}))
		mux.Handle("GET /headlines", web.Handler(func(w http.ResponseWriter, _ *http.Request) error {
			return web.Count(w, desk.letters())
		}))
	})
}

var words = sample.Text(501, 11<<10)

func dispatch(number int) []byte {
	text := append([]byte("Council votes\ncall +49 30 1234567 or write to desk@example.com, embargo 2026-11-23\n"), words...)
	return append(text, byte('0'+number%10), '\n')
}
