// Command crawler checks whether the links of pages work.
package main

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
)

// all calls the function for each value.
func all[T any](values []T, each func(T)) {
	done := make(chan struct{})
	for _, value := range values {
		go func() {
			each(value)
			done <- struct{}{}
		}()
	}
	for range values {
		<-done
	}
}

type crawler struct {
	site   string
	client *http.Client
	broken atomic.Int64
}

// visit asks for the head of a page.
func (c *crawler) visit(link string) {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, link, nil)
	if err != nil {
		return
	}
	reply, err := c.client.Do(request)
	if err != nil {
		c.broken.Add(1)
		return
	}
	_ = reply.Body.Close()
}

func main() {
	host.Run(host.Service{
		Everyday: 95,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/pages"}},
		Upstream: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			c := &crawler{site: upstream, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
			mux.HandleFunc("POST /pages", func(w http.ResponseWriter, _ *http.Request) {
				links := make([]string, 120)
				for i := range links {
					links[i] = c.site + "/page/" + strconv.Itoa(i)
				}
				all(links, c.visit)
				_, _ = w.Write(strconv.AppendInt(nil, c.broken.Load(), 10))
			})
		},
	})
}
