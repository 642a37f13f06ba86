// Command feed collects the messages of partners.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"example.com/services/feed/intake"
	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

func accept(w http.ResponseWriter, r *http.Request) {
	list, err := new(intake.Reader).Accept(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(len(list)), 10))
}

func payload() []byte {
	var body []byte
	words := sample.Words(40, 200)
	for i := range 25 {
		one := intake.Message{ID: strconv.Itoa(i), Author: intake.Author{Name: words[i], Email: words[i] + "@example.com"},
			Sent: time.Unix(1_780_000_000, 0), Text: string(sample.Text(uint64(i), 200)), Tags: words[i : i+6],
			Counts: map[string]int{"likes": i, "views": 20 * i}, Headers: map[string]string{"origin": "mobile", "language": "en"},
			Location: &intake.Location{Latitude: 52.5, Longitude: 13.4}}
		one.Replies = []intake.Message{{ID: "r" + one.ID, Text: "thanks", Tags: words[:3]}}
		text, err := json.Marshal(one)
		if err != nil {
			panic(err)
		}
		body = append(body, text...)
	}
	return body
}

func main() {
	body := payload()
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Method: http.MethodPost, Path: "/messages", Body: func(int) []byte { return body }}},
		Routes:   func(mux *http.ServeMux, _ string) { mux.HandleFunc("POST /messages", accept) },
	})
}
