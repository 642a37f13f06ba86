// Command megaphones sends announcements to all subscribers of a channel.
package main

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

type subscriber struct {
	id    int
	delay time.Duration
}

// deliver waits for the subscriber's answer.
func (s subscriber) deliver(text string, heard *atomic.Int64) {
	time.Sleep(s.delay)
	if len(text) > s.id%7 {
		heard.Add(1)
	}
}

type channel struct{ subscribers []subscriber }

func (c *channel) announce(text string) int64 {
	var heard atomic.Int64
	var group sync.WaitGroup
	group.Add(len(c.subscribers))
	for _, one := range c.subscribers {
		go func() {
			defer group.Done()
			one.deliver(text, &heard)
		}()
	}
	group.Wait()
	return heard.Load()
}

func main() {
	host.Serve(80, []host.Call{{Method: http.MethodPost, Path: "/announcements/%d"}}, func(mux *http.ServeMux) {
		c := &channel{}
		for id := range 900 {
			c.subscribers = append(c.subscribers, subscriber{id, time.Duration(30+id%25) * time.Millisecond})
		}
		mux.Handle("POST /announcements/{number}", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, int(c.announce("attention "+r.PathValue("number"))))
		}))
	})
}
