// Command carts adds up what is in a cart, with the prices of another service.
package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type prices struct {
	client *http.Client
	base   string
}

// of asks for the price of an article.
func (p *prices) of(ctx context.Context, article int) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/prices/"+strconv.Itoa(article), nil)
	if err != nil {
		return 0, err
	}
	reply, err := p.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 16))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}

func (p *prices) sum(ctx context.Context, articles []int) (cents int, err error) {
	for _, article := range articles {
		one, err := p.of(ctx, article)
		if err != nil {
			return 0, err
		}
		cents += one
	}
	return cents, nil
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Path: "/carts/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("995")) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			p := &prices{&http.Client{Timeout: time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}}, upstream}
			mux.HandleFunc("GET /carts/{number}", func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.PathValue("number"))
				articles := make([]int, 12)
				for i := range articles {
					articles[i] = number + i
				}
				cents, err := p.sum(r.Context(), articles)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendInt(nil, int64(cents), 10))
			})
		},
	})
}
