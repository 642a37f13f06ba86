// Command permissions says which documents a user may read.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type document struct {
	mu      sync.RWMutex
	readers map[int]bool
}

type archive struct{ documents []*document }

// readable counts the documents of a user.
func (a *archive) readable(user int) (count int) {
	for _, one := range a.documents {
		one.mu.RLock()
		defer one.mu.RUnlock()
		if one.readers[user] {
			count++
		}
	}
	return count
}

func main() {
	host.Serve(55, []host.Call{{Path: "/users/%d/documents", Range: 50}}, func(mux *http.ServeMux) {
		a := &archive{}
		for i := range 1500 {
			a.documents = append(a.documents, &document{readers: map[int]bool{i % 50: true}})
		}
		mux.HandleFunc("GET /users/{user}/documents", func(w http.ResponseWriter, r *http.Request) {
			user, _ := strconv.Atoi(r.PathValue("user"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(a.readable(user)), 10))
		})
	})
}
