package main

import (
	"net/http"
	"strings"

	"shop/internal/catalog"
	"shop/internal/load"
	"shop/internal/search"
)

type searchRoutes struct {
	index   *search.Index
	suggest *search.Suggester
}

func searchService(m *router, o options, _ string) ([]load.Call, error) {
	index := search.NewIndex(catalog.New(productCount).All())
	s := &searchRoutes{index: index, suggest: search.NewSuggester(index, o.leak)}
	m.route("GET", "/search", s.find)
	m.route("GET", "/suggest", s.complete)
	return []load.Call{
		{Weight: 6, Method: "GET", Path: oneOf("/search?q=warm+oak+lamp", "/search?q=brass+kettle+of", "/search?q=folded+wool+blanket", "/search?q=tall+vase")},
		{Weight: 1, Method: "GET", Path: fixed("/search?q=%20")},
		{Weight: 5, Method: "GET", Path: oneOf("/suggest?q=la", "/suggest?q=wo", "/suggest?q=ki", "/suggest?q=t")},
	}, nil
}

func (s *searchRoutes) find(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if text == "" {
		writeError(w, http.StatusBadRequest, "q says what to look for")
		return
	}
	writeJSON(w, http.StatusOK, s.index.Search(text, 250))
}

func (s *searchRoutes) complete(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, s.suggest.Suggest(r.URL.Query().Get("q")))
}
