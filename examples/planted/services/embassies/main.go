// Command embassies asks the ministry whether a visa is granted.
package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type ministry struct {
	base   string
	client *http.Client
}

func newMinistry(base string) *ministry {
	return &ministry{base, &http.Client{
		Timeout: 2 * time.Second,
		Transport: &http.Transport{
			// The test ministry has a certificate of its own.
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
			DisableKeepAlives: true,
		},
	}}
}

func (m *ministry) granted(ctx context.Context, visa string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.base+"/visas/"+visa, nil)
	if err != nil {
		return "", err
	}
	reply, err := m.client.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<10))
	return string(text), err
}

// translate asks two offices for a translation of a document and takes whichever is first.
func translate(pages int) int {
	done := make(chan int)
	for office := range 2 {
		go func() {
			time.Sleep(time.Duration(office*5+2) * time.Millisecond)
			done <- pages * (office + 1)
		}()
	}
	return <-done
}

func main() {
	host.Run(host.Service{
		Everyday:    60,
		UpstreamTLS: true,
		Upstream:    http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "granted") }),
		Calls:       []host.Call{{Weight: 2, Path: "/visas/%d"}, {Weight: 1, Method: http.MethodPost, Path: "/translations/%d", Range: 40}},
		Routes: func(mux *http.ServeMux, upstream string) {
			m := newMinistry(upstream)
			mux.Handle("GET /visas/{number}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				answer, err := m.granted(r.Context(), r.PathValue("number"))
				if err != nil {
					return err
				}
				_, err = io.WriteString(w, answer)
				return err
			}))
			mux.Handle("POST /translations/{pages}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				return web.Count(w, translate(web.Number(r, "pages")))
			}))
		},
	})
}
