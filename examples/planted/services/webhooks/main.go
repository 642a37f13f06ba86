// Command webhooks takes events of payment providers and passes on the ones that matter.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/services/internal/host"
)

var errNoType = errors.New("event without a type")

type inbox struct{ paid atomic.Int64 }

// take counts an event by its type and amount.
func (in *inbox) take(body io.Reader) error {
	var event map[string]any
	if err := json.NewDecoder(body).Decode(&event); err != nil {
		return err
	}
	kind, ok := event["type"].(string)
	if !ok {
		return errNoType
	}
	if object, ok := event["object"].(map[string]any); ok && kind == "invoice.paid" {
		if amount, ok := object["amount"].(float64); ok {
			in.paid.Add(int64(amount))
		}
	}
	return nil
}

func event(number int) []byte {
	text := `{"id":"evt_` + strconv.Itoa(number) + `","type":"invoice.paid","created":1763900000,"object":{"amount":1290,"currency":"eur","lines":[`
	for line := range 12 {
		if line > 0 {
			text += ","
		}
		text += `{"sku":"A` + strconv.Itoa(line) + `","quantity":2,"price":499,"tax":{"rate":19,"included":true}}`
	}
	return []byte(text + `]}}`)
}

func main() {
	host.Serve(55, []host.Call{{Method: http.MethodPost, Path: "/events", Body: event}}, func(mux *http.ServeMux) {
		in := &inbox{}
		mux.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
			if err := in.take(r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			}
		})
	})
}
