package main

import (
	"net/http"
	"strconv"
	"time"

	"shop/internal/catalog"
	"shop/internal/journal"
	"shop/internal/load"
)

const (
	refreshers      = 40
	refreshedAtOnce = 10
	refreshEvery    = 200 * time.Millisecond
)

type catalogRoutes struct {
	catalog *catalog.Catalog
	cache   *catalog.Cache
}

func catalogService(m *router, o options, _ string) ([]load.Call, error) {
	products := catalog.New(productCount)
	s := &catalogRoutes{catalog: products, cache: catalog.NewCache(products, o.regress.has("cache"))}
	s.register(m)
	s.startRefreshers()
	return []load.Call{
		{Weight: 9, Method: "GET", Path: oneOf("/products?category=garden&limit=1800", "/products?category=toys&limit=1200", "/products?category=office&limit=700")},
		{Weight: 8, Method: "GET", Path: numbered("/products/%d", productCount+40)},
		{Weight: 3, Method: "GET", Path: numbered("/products/%d/similar", productCount)},
		{Weight: 1, Method: "GET", Path: fixed("/products/none")},
	}, nil
}

func (s *catalogRoutes) register(m *router) {
	m.route("GET", "/products", s.list)
	m.route("GET", "/products/{id}", s.show)
	m.route("GET", "/products/{id}/similar", s.similar)
}

func (s *catalogRoutes) list(w http.ResponseWriter, r *http.Request) {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit < 1 {
		writeError(w, http.StatusBadRequest, "limit is a number from 1")
		return
	}
	writeJSON(w, http.StatusOK, s.catalog.Page(r.URL.Query().Get("category"), limit))
}

func (s *catalogRoutes) show(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		writeError(w, http.StatusBadRequest, "a product id is a number")
		return
	}
	if body, ok := s.cache.Get(id); ok {
		_, _ = w.Write(body)
		return
	}
	product, ok := s.catalog.Find(id)
	if !ok {
		writeError(w, http.StatusNotFound, "there is no such product")
		return
	}
	_, _ = w.Write(s.cache.Put(product))
}

func (s *catalogRoutes) similar(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		writeError(w, http.StatusBadRequest, "a product id is a number")
		return
	}
	product, ok := s.catalog.Find(id)
	if !ok {
		writeError(w, http.StatusNotFound, "there is no such product")
		return
	}
	writeJSON(w, http.StatusOK, s.catalog.Similar(product, 20))
}

// startRefreshers renders pages again, a few at once, on a pool of workers that
// otherwise wait on their channel.
func (s *catalogRoutes) startRefreshers() {
	due := make(chan int)
	written := &journal.Journal{}
	for range refreshers {
		go s.refresh(due, written)
	}
	go func() {
		for id := 0; ; id += refreshedAtOnce {
			for i := range refreshedAtOnce {
				due <- (id + i) % productCount
			}
			time.Sleep(refreshEvery)
		}
	}()
}

func (s *catalogRoutes) refresh(due <-chan int, written *journal.Journal) {
	for id := range due {
		if product, ok := s.catalog.Find(id); ok {
			s.cache.Put(product)
			written.Write(product.SKU)
		}
	}
}
