// Command answers sends questions to experts and waits for what they say.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type answer struct{ text string }

type experts struct {
	mu      sync.Mutex
	waiting map[int]chan answer
	next    int
}

func (e *experts) ask() (int, chan answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.next++
	replies := make(chan answer)
	e.waiting[e.next] = replies
	return e.next, replies
}

// reply finds the question by its number; some experts get it wrong.
func (e *experts) reply(number int) {
	e.mu.Lock()
	replies := e.waiting[number]
	delete(e.waiting, number)
	e.mu.Unlock()
	if replies != nil {
		replies <- answer{"yes"}
	}
}

// collect tells the statistics what was said.
func (e *experts) collect(replies <-chan answer, texts *sync.Map) {
	one := <-replies
	texts.Store(one.text, true)
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/questions/%d"}}, func(mux *http.ServeMux) {
		e, texts := &experts{waiting: map[int]chan answer{}}, &sync.Map{}
		mux.HandleFunc("POST /questions/{topic}", func(w http.ResponseWriter, r *http.Request) {
			topic, _ := strconv.Atoi(r.PathValue("topic"))
			number, replies := e.ask()
			go e.collect(replies, texts)
			if topic%3 != 0 {
				e.reply(number)
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(number), 10))
		})
	})
}
