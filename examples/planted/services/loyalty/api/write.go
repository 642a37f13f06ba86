// Package api has the form of all answers.
package api

import (
	"encoding/json"
	"net/http"
)

// Write answers with a value and what every answer has.
func Write(w http.ResponseWriter, r *http.Request, value any) error {
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"path": r.URL.Path, "version": 3, "result": value})
}
