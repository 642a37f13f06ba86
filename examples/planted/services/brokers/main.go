// Command brokers asks a stock exchange for courses.
package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
)

type exchange struct {
	client *http.Client
	base   string
}

func (e *exchange) course(ctx context.Context, share int) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.base+"/shares/"+strconv.Itoa(share), nil)
	if err != nil {
		return 0, err
	}
	reply, err := e.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	var text [16]byte
	size, err := io.ReadFull(reply.Body, text[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	return strconv.Atoi(string(text[:size]))
}

func main() {
	host.Run(host.Service{
		Everyday: 65,
		Calls:    []host.Call{{Path: "/shares/%d", Range: 500}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(12 * time.Millisecond)
			_, _ = w.Write([]byte("18450"))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			e := &exchange{&http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxConnsPerHost: 1}}, upstream}
			mux.HandleFunc("GET /shares/{share}", func(w http.ResponseWriter, r *http.Request) {
				share, _ := strconv.Atoi(r.PathValue("share"))
				cents, err := e.course(r.Context(), share)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendInt(nil, int64(cents), 10))
			})
		},
	})
}
