package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// Manifest is the index of everything recorded.
type Manifest struct {
	WindowSeconds int         `json:"window_seconds"`
	Recordings    []Recording `json:"recordings"`
}

// Recording is one process, seen through consecutive windows.
type Recording struct {
	Service string            `json:"service"`
	Variant string            `json:"variant"`
	Rate    int               `json:"requests_per_second"`
	Flags   []string          `json:"flags"`
	Tags    map[string]string `json:"tags"`
	Files   []File            `json:"files"`
}

// File is one profile, or the HTTP metrics, of one window.
type File struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Window int    `json:"window"`
	// Started is how long the process had been running when the window opened,
	// or when the snapshot was taken.
	StartedSeconds float64 `json:"started_seconds"`
	// DurationSeconds is 0 for snapshots.
	DurationSeconds float64 `json:"duration_seconds"`
	// Delta says that counters hold what the window added, not a total since the start.
	Delta bool `json:"delta"`
	Bytes int  `json:"bytes"`
}

func (m Manifest) write(out string) error {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "manifest.json"), append(text, '\n'), 0o644)
}

func readManifest(out string) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}
