// Package everyday has the pages that every service here serves besides its own:
// healthy work that fills a profile's background.
package everyday

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
)

var paths = []string{"/about/prices", "/about/page", "/about/suggest?q=", "/about/session?id=", "/about/version"}

// Path is the path of one of the pages.
func Path(random *rand.Rand) string {
	switch path := paths[random.IntN(len(paths))]; path {
	case "/about/suggest?q=":
		return path + misspelled(random)
	case "/about/session?id=":
		return path + sessionID(random.IntN(4000))
	default:
		return path
	}
}

// Mount registers the pages.
func Mount(mux *http.ServeMux) {
	prices, sessions, words := newPriceList(), newSessions(), newDictionary()
	mux.HandleFunc("GET /about/prices", prices.serve)
	mux.HandleFunc("GET /about/page", servePage)
	mux.HandleFunc("GET /about/suggest", words.serve)
	mux.HandleFunc("GET /about/session", sessions.serve)
	mux.HandleFunc("GET /about/version", serveVersion)
}

type version struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

func serveVersion(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(version{Name: "service", Version: "4.2.0", Commit: "8c1f0e2"})
}
