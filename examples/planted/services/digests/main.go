// Command digests reads feeds with a decoder, and answers from a cache with a limit.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type entry struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
}

type cache struct {
	mu      sync.Mutex
	entries map[int]entry
	order   []int
}

const entriesMax = 500

func (c *cache) put(one entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[one.ID]; !ok {
		if len(c.order) == entriesMax {
			delete(c.entries, c.order[0])
			copy(c.order, c.order[1:])
			c.order = c.order[:entriesMax-1]
		}
		c.order = append(c.order, one.ID)
	}
	c.entries[one.ID] = one
}

func (c *cache) title(id int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[id].Title
}

func main() {
	host.Serve(60, []host.Call{
		{Weight: 3, Path: "/entries/%d"},
		{Method: http.MethodPut, Path: "/entries/%d", Body: func(number int) []byte {
			return []byte(`{"id":` + strconv.Itoa(number) + `,"title":"entry ` + strconv.Itoa(number) + `"}`)
		}},
	}, func(mux *http.ServeMux) {
		c := &cache{entries: make(map[int]entry, entriesMax), order: make([]int, 0, entriesMax)}
		mux.HandleFunc("GET /entries/{id}", func(w http.ResponseWriter, r *http.Request) {
			id, _ := strconv.Atoi(r.PathValue("id"))
			_, _ = w.Write([]byte(c.title(id)))
		})
		mux.HandleFunc("PUT /entries/{id}", func(w http.ResponseWriter, r *http.Request) {
			var one entry
			if err := json.NewDecoder(r.Body).Decode(&one); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			c.put(one)
		})
	})
}
