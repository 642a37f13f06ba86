// Command imports reads price lists from a folder and from requests.
package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type importer struct{ folder string }

// size adds up the lengths of the lines of a list.
func (m *importer) size(name string) (int, error) {
	content, err := os.ReadFile(filepath.Join(m.folder, name))
	if err != nil {
		return 0, err
	}
	longest, length := 0, 0
	for _, char := range content {
		length++
		if char == '\n' {
			longest, length = max(longest, length), 0
		}
	}
	return longest, nil
}

func articles(r *http.Request) (int, error) {
	var list any
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, one := range list.([]any) {
		price, _ := one.(map[string]any)["price"].(float64)
		sum += price
	}
	return int(sum), nil
}

func reply(w http.ResponseWriter, number int, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(number), 10))
}

func main() {
	var list []map[string]any
	for i, name := range sample.Words(57, 90) {
		list = append(list, map[string]any{"id": i, "name": name, "price": 3.5, "tags": []string{name, "new"}, "left": i})
	}
	body, _ := json.Marshal(list)
	host.Serve(50, []host.Call{{Weight: 2, Path: "/size"}, {Weight: 3, Method: http.MethodPost, Path: "/articles", Body: func(int) []byte { return body }}}, func(mux *http.ServeMux) {
		folder, err := os.MkdirTemp("", "lists-*")
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "list.csv"), sample.Text(58, 120<<10), 0o600); err != nil {
			panic(err)
		}
		m := &importer{folder}
		mux.HandleFunc("GET /size", func(w http.ResponseWriter, _ *http.Request) {
			longest, err := m.size("list.csv")
			reply(w, longest, err)
		})
		mux.HandleFunc("POST /articles", func(w http.ResponseWriter, r *http.Request) {
			sum, err := articles(r)
			reply(w, sum, err)
		})
	})
}
