// Package push sends this process's profiles and HTTP metrics to Flamekeep with
// nothing but net/http.
package push

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"runtime/pprof"
	"time"

	"shop/internal/httpmetrics"
)

// Sender pushes to the Flamekeep at Base with the API key Key.
type Sender struct {
	Base    string
	Key     string
	Service string
	Tags    map[string]string
	Metrics *httpmetrics.Recorder
}

const window = 10 * time.Second

// snapshots are the profiles taken at the end of each window, by type.
var snapshots = map[string]string{
	"memory":    "heap",
	"goroutine": "goroutine",
	"mutex":     "mutex",
	"block":     "block",
	"custom":    "shop/open_carts",
}

// Run pushes one window after the other until ctx ends.
func (s *Sender) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.window(ctx); err != nil {
			log.Printf("push: %v", err)
		}
	}
}

func (s *Sender) window(ctx context.Context) error {
	started := time.Now()
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		time.Sleep(window)
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(window):
	}
	pprof.StopCPUProfile()
	if err := s.profile("cpu", started, &cpu); err != nil {
		return err
	}
	for kind, name := range snapshots {
		profile := pprof.Lookup(name)
		if profile == nil || profile.Count() == 0 {
			continue
		}
		var body bytes.Buffer
		if err := profile.WriteTo(&body, 0); err != nil {
			return err
		}
		if err := s.profile(kind, started, &body); err != nil {
			return err
		}
	}
	return s.metrics()
}

func (s *Sender) profile(kind string, started time.Time, body io.Reader) error {
	query := url.Values{"service": {s.Service}, "type": {kind}, "started_at": {started.UTC().Format(time.RFC3339Nano)}}
	for name, value := range s.Tags {
		query.Set("tag."+name, value)
	}
	return s.post("/api/v1/ingest/profiles?"+query.Encode(), "application/octet-stream", body)
}

func (s *Sender) metrics() error {
	var body bytes.Buffer
	out := json.NewEncoder(&body)
	for _, request := range s.Metrics.Drain() {
		if err := out.Encode(request); err != nil {
			return err
		}
	}
	if body.Len() == 0 {
		return nil
	}
	return s.post("/api/v1/ingest/http-metrics?"+url.Values{"service": {s.Service}}.Encode(), "application/x-ndjson", &body)
}

func (s *Sender) post(path, contentType string, body io.Reader) error {
	request, err := http.NewRequest(http.MethodPost, s.Base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("X-API-Key", s.Key)
	client := &http.Client{Timeout: 30 * time.Second}
	reply, err := client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 4096))
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %s", path, reply.Status, text)
	}
	return nil
}
