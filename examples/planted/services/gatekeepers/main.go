// Command gatekeepers passes requests on to another service, over connections that stay open.
package main

import (
	"bufio"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type keeper struct {
	client  *http.Client
	base    string
	readers sync.Pool
}

func (k *keeper) pass(w http.ResponseWriter, r *http.Request) {
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, k.base+r.URL.Path, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply, err := k.client.Do(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer reply.Body.Close()
	buffered := k.readers.Get().(*bufio.Reader)
	defer k.readers.Put(buffered)
	buffered.Reset(reply.Body)
	_, _ = io.Copy(w, buffered)
}

func main() {
	host.Run(host.Service{
		Everyday: 60,
		Calls:    []host.Call{{Path: "/pass/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(2 * time.Millisecond)
			_, _ = w.Write(make([]byte, 2000))
		}),
		Routes: func(mux *http.ServeMux, upstream string) {
			k := &keeper{client: &http.Client{Timeout: time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, base: upstream}
			k.readers.New = func() any { return bufio.NewReaderSize(nil, 4<<10) }
			mux.HandleFunc("GET /pass/{number}", k.pass)
		},
	})
}
