package main

import (
	"encoding/hex"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"shop/internal/catalog"
	"shop/internal/load"
	"shop/internal/session"
	"shop/internal/storefront"
)

// visitorRateMax is high enough for the load of one tenant, most of the time.
const visitorRateMax = 14

type gatewayRoutes struct {
	front *storefront.Front
	limit *storefront.Limiter
	token string
}

// gatewayService serves pages, and the JSON they are made of from a second
// listener, so that its upstream calls are real ones.
func gatewayService(m *router, _ options, _ string) ([]load.Call, error) {
	upstream, err := startUpstream()
	if err != nil {
		return nil, err
	}
	token, err := session.Sign(session.Claims{User: "kim", Tenant: "acme", Roles: []string{"shopper", "reviewer"}})
	if err != nil {
		return nil, err
	}
	valid := "/account?token=" + token
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Hour}}
	s := &gatewayRoutes{front: &storefront.Front{Upstream: upstream, Client: client}, limit: storefront.NewLimiter(visitorRateMax), token: token}
	s.front.Prefetch(storefront.Categories)
	m.route("GET", "/{$}", s.home)
	m.route("GET", "/account", s.account)
	m.route("POST", "/login", s.login)
	return []load.Call{
		{Weight: 8, Method: "GET", Path: fixed("/")},
		{Weight: 4, Method: "GET", Path: oneOf(valid, valid, valid, valid, valid, "/account?token=stale.token")},
		{Weight: 2, Method: "POST", Path: fixed("/login"), Body: func(random *rand.Rand) []byte {
			return []byte(strings.Repeat("p", 8+random.IntN(20)))
		}},
	}, nil
}

func startUpstream() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	inner := newRouter("upstream")
	(&catalogRoutes{catalog: catalog.New(productCount)}).register(inner)
	go func() { _ = http.Serve(listener, inner) }()
	return "http://" + listener.Addr().String(), nil
}

func (s *gatewayRoutes) home(w http.ResponseWriter, r *http.Request) {
	if !s.limit.Allow(r.UserAgent(), tenant(r)) {
		writeError(w, http.StatusTooManyRequests, "slow down")
		return
	}
	visitor, err := session.Verify(s.token)
	if err != nil {
		writeError(w, http.StatusUnauthorized, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Encoding", "gzip")
	if err := s.front.Home(r.Context(), w, visitor); err != nil {
		w.Header().Del("Content-Encoding")
		writeError(w, http.StatusBadGateway, err.Error())
	}
}

func (s *gatewayRoutes) account(w http.ResponseWriter, r *http.Request) {
	claims, err := session.Verify(r.URL.Query().Get("token"))
	if err != nil {
		writeError(w, http.StatusUnauthorized, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, claims)
}

func (s *gatewayRoutes) login(w http.ResponseWriter, r *http.Request) {
	password := make([]byte, 64)
	n, _ := r.Body.Read(password)
	writeJSON(w, http.StatusOK, map[string]string{"digest": hex.EncodeToString(session.HashPassword(string(password[:n])))})
}
