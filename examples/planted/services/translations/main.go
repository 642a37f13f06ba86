// Command translations translates the texts of apps.
package main

import (
	"net/http"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type phrase struct {
	language, text string
}

var (
	mu         sync.Mutex
	translated = map[phrase][]byte{}
)

// translate keeps what it has translated: most apps ask for the same texts.
func translate(one phrase) []byte {
	mu.Lock()
	defer mu.Unlock()
	if done, ok := translated[one]; ok {
		return done
	}
	done := pronounce(one)
	translated[one] = done
	return done
}

func pronounce(one phrase) []byte {
	to := make([]byte, 0, 8*len(one.text))
	for range 8 {
		to = append(to, one.text...)
	}
	return to
}

func main() {
	text := strings.TrimSpace(string(sample.Text(330, 900)))
	host.Serve(60, []host.Call{{Path: "/translate?to=fr&user=%d", Range: 1_000_000}}, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /translate", func(w http.ResponseWriter, r *http.Request) {
			query := r.URL.Query()
			_, _ = w.Write(translate(phrase{query.Get("to"), text + query.Get("user")}))
		})
	})
}
