// Command newsletter sends a letter to all readers of a list.
package main

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/services/internal/host"
)

type sender struct {
	client *http.Client
	mail   string
}

func (s *sender) deliver(ctx context.Context, reader string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.mail+"/mail?to="+reader, strings.NewReader("Dear reader"))
	if err != nil {
		return err
	}
	reply, err := s.client.Do(request)
	if err != nil {
		return err
	}
	return reply.Body.Close()
}

// broadcast sends all letters at the same time.
func (s *sender) broadcast(ctx context.Context, readers []string) {
	var group sync.WaitGroup
	for _, reader := range readers {
		group.Add(1)
		go func() {
			defer group.Done()
			_ = s.deliver(ctx, reader)
		}()
	}
	group.Wait()
}

func main() {
	host.Run(host.Service{
		Everyday: 96,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/letters"}},
		Upstream: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(400 * time.Millisecond) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			s := &sender{client: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxConnsPerHost: 40}}, mail: upstream}
			mux.HandleFunc("POST /letters", func(w http.ResponseWriter, _ *http.Request) {
				readers := make([]string, 300)
				for i := range readers {
					readers[i] = strconv.Itoa(i)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
				defer cancel()
				s.broadcast(ctx, readers)
			})
		},
	})
}
