// Package httpmetrics keeps one line for every HTTP request served, in the form
// that Flamekeep takes.
package httpmetrics

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Request is one served request; Duration is in seconds.
type Request struct {
	Timestamp  time.Time `json:"timestamp"`
	Duration   float64   `json:"duration"`
	StatusCode int       `json:"status_code"`
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	RequestID  string    `json:"request_id"`
}

// Recorder keeps requests until they are drained.
type Recorder struct {
	mu       sync.Mutex
	requests []Request
}

// keptMax bounds what is kept when nobody drains: the oldest go first.
const keptMax = 50_000

// Wrap records every request of next under path, the route's pattern.
func (r *Recorder) Wrap(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		started := time.Now()
		answer := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, request)
		r.add(Request{
			Timestamp:  started.UTC().Truncate(time.Millisecond),
			Duration:   float64(time.Since(started).Microseconds()) / 1e6,
			StatusCode: answer.status,
			Method:     request.Method,
			Path:       path,
			RequestID:  request.Header.Get("X-Request-ID"),
		})
	})
}

func (r *Recorder) add(one Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) >= keptMax {
		r.requests = r.requests[1:]
	}
	r.requests = append(r.requests, one)
}

// Drain returns what was recorded since the last call.
func (r *Recorder) Drain() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	drained := r.requests
	r.requests = nil
	return drained
}

// ServeHTTP drains as NDJSON.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := json.NewEncoder(w)
	for _, one := range r.Drain() {
		if out.Encode(one) != nil {
			return
		}
	}
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
