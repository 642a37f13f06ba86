// Command inbox keeps the messages of users in memory and parses new ones.
package main

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type header struct{ name, value *string }

type message struct {
	headers []*header
	next    *message
}

type mailbox struct {
	mu     sync.Mutex
	latest map[int]*message
}

// parse makes a header for each word.
func (m *mailbox) parse(text string) *message {
	one := &message{}
	for line := range strings.SplitSeq(text, "\n") {
		for word := range strings.SplitSeq(line, " ") {
			name, value := strings.ToUpper(word), word
			one.headers = append(one.headers, &header{&name, &value})
		}
	}
	return one
}

func (m *mailbox) deliver(user int, text string) int {
	one := m.parse(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest[user] = one
	return len(one.headers)
}

func main() {
	host.Serve(40, []host.Call{{Method: http.MethodPost, Path: "/users/%d/messages", Range: 600}}, func(mux *http.ServeMux) {
		debug.SetGCPercent(30) // keeps the memory small
		text, m := string(sample.Text(46, 6<<10)), &mailbox{latest: map[int]*message{}}
		for user := range 600 {
			m.deliver(user, text)
		}
		mux.HandleFunc("POST /users/{user}/messages", func(w http.ResponseWriter, r *http.Request) {
			user, _ := strconv.Atoi(r.PathValue("user"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(m.deliver(user, text)), 10))
		})
	})
}
