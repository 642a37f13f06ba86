// Command newsletters sends news to all readers by a mail service.
package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type reader struct {
	number int
	name   string
}

// greeting is the first line of a mail.
func (r reader) greeting(topics []string) string {
	lines := make([]string, 0, len(topics))
	for i, topic := range topics {
		lines = append(lines, fmt.Sprintf("%2d. %-16s for %v (no. %06d)", i+1, topic, r.name, r.number))
	}
	return strings.Join(lines, "\n")
}

type mails struct {
	client  *http.Client
	address string
}

func (m *mails) send(ctx context.Context, one reader, text string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.address+"/mails/"+strconv.Itoa(one.number), strings.NewReader(text))
	if err != nil {
		return err
	}
	reply, err := m.client.Do(request)
	if err != nil {
		return err
	}
	return reply.Body.Close()
}

// publish writes to all readers at the same time.
func publish(ctx context.Context, by *mails, readers []reader, topics []string) {
	var group sync.WaitGroup
	for _, one := range readers {
		group.Add(1)
		go func() {
			defer group.Done()
			_ = by.send(ctx, one, one.greeting(topics))
		}()
	}
	group.Wait()
}

func main() {
	host.Run(host.Service{
		Everyday: 95,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/issues/%d"}},
		Upstream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { time.Sleep(900 * time.Millisecond) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			by := &mails{&http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}, upstream}
			var readers []reader
			for i, name := range sample.Words(370, 80) {
				readers = append(readers, reader{i, name})
			}
			topics := sample.Words(371, 200)
			mux.HandleFunc("POST /issues/{number}", func(w http.ResponseWriter, r *http.Request) {
				publish(context.WithoutCancel(r.Context()), by, readers, topics)
			})
		},
	})
}
