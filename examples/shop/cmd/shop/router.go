package main

import (
	"context"
	"encoding/json"
	"net/http"
	httppprof "net/http/pprof"
	"runtime/pprof"

	"shop/internal/httpmetrics"
)

// router is a mux that labels profiles and records every request.
type router struct {
	*http.ServeMux
	service string
	metrics *httpmetrics.Recorder
}

func newRouter(service string) *router {
	return &router{ServeMux: http.NewServeMux(), service: service, metrics: &httpmetrics.Recorder{}}
}

// route serves method and path with the pprof labels handler and tenant.
func (m *router) route(method, path string, serve http.HandlerFunc) {
	labelled := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		labels := pprof.Labels("handler", path, "tenant", tenant(r))
		pprof.Do(r.Context(), labels, func(ctx context.Context) { serve(w, r.WithContext(ctx)) })
	})
	m.Handle(method+" "+path, m.metrics.Wrap(path, labelled))
}

// diagnostics are the pages a profiler asks for.
func (m *router) diagnostics() {
	m.HandleFunc("GET /debug/pprof/", httppprof.Index)
	m.HandleFunc("GET /debug/pprof/profile", httppprof.Profile)
	m.Handle("GET /debug/http-metrics", m.metrics)
}

func tenant(r *http.Request) string {
	if name := r.Header.Get("X-Tenant"); name != "" {
		return name
	}
	return "none"
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func writeError(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]string{"error": text})
}
