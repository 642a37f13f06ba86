// Command configs answers with the settings of a tenant, always the newest.
package main

import (
	"bytes"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"example.com/services/internal/host"
)

type settings struct{ folder string }

// find is the value of a setting of a tenant, or else of all.
func (s *settings) find(tenant, name string) (string, error) {
	path := filepath.Join(s.folder, tenant+".conf")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(s.folder, "default.conf")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for line := range bytes.Lines(text) {
		if key, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte("=")); ok && string(key) == name {
			return string(value), nil
		}
	}
	return "", nil
}

func main() {
	host.Serve(50, []host.Call{{Path: "/tenants/%d/theme", Range: 40}}, func(mux *http.ServeMux) {
		folder, err := os.MkdirTemp("", "configs")
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "default.conf"), []byte("limit=20\nregion=eu\ntheme=dark\n"), 0o600); err != nil {
			log.Fatal(err)
		}
		s := &settings{folder}
		mux.HandleFunc("GET /tenants/{tenant}/theme", func(w http.ResponseWriter, r *http.Request) {
			theme, err := s.find(r.PathValue("tenant"), "theme")
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte(theme))
		})
	})
}
