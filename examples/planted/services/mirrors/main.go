// Command mirrors looks where files can be downloaded.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/services/internal/host"
)

type mirror struct {
	transport http.RoundTripper
	address   string
}

// download closes what it reads, but not what it does not want.
func (m *mirror) download(file string) (int64, error) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, m.address+"/files/"+file, nil)
	if err != nil {
		return 0, err
	}
	reply, err := m.transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	if reply.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the mirror answers with %s", reply.Status)
	}
	defer reply.Body.Close()
	return io.Copy(io.Discard, reply.Body)
}

func files(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/files/f"))
	if number%2 == 0 {
		w.WriteHeader(http.StatusMovedPermanently)
	}
	_, _ = w.Write(make([]byte, 40_000))
}

func main() {
	host.Run(host.Service{
		Everyday: 70,
		Calls:    []host.Call{{Path: "/download/f%d"}},
		Upstream: http.HandlerFunc(files),
		Routes: func(mux *http.ServeMux, upstream string) {
			m := &mirror{&http.Transport{IdleConnTimeout: time.Second, ResponseHeaderTimeout: time.Second}, upstream}
			mux.HandleFunc("GET /download/{file}", func(w http.ResponseWriter, r *http.Request) {
				size, err := m.download(r.PathValue("file"))
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				_, _ = w.Write(strconv.AppendInt(nil, size, 10))
			})
		},
	})
}
