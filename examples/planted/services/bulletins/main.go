// Command bulletins checks whether the weather office has published a new bulletin.
package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type office struct {
	base   string
	client http.Client
}

// published compares the tag of the newest bulletin with the one that the caller has.
func (o *office) published(ctx context.Context, tag string) (bool, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+"/bulletin", nil)
	if err != nil {
		return false, err
	}
	reply, err := o.client.Do(request)
	if err != nil {
		return false, err
	}
	if reply.StatusCode != http.StatusOK {
		return false, nil
	}
	return reply.Header.Get("ETag") != tag, nil
}

func bulletin(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("ETag", "b-77")
	_, _ = w.Write([]byte(strings.Repeat("wind west 4 to 5, showers. ", 800)))
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Upstream: http.HandlerFunc(bulletin),
		Calls:    []host.Call{{Path: "/readers/%d/news"}},
		Routes: func(mux *http.ServeMux, upstream string) {
			o := &office{base: upstream, client: http.Client{Timeout: time.Minute}}
			mux.Handle("GET /readers/{reader}/news", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
				fresh, err := o.published(context.WithoutCancel(r.Context()), "b-"+r.PathValue("reader"))
				if err != nil {
					return err
				}
				if !fresh {
					w.WriteHeader(http.StatusNotModified)
					return nil
				}
				return web.Count(w, 1)
			}))
		},
	})
}
