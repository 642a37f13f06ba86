// Package intake reads the messages that partners send.
package intake

import (
	"encoding/json"
	"io"
	"time"
)

// Message is what a partner sends.
type Message struct {
	ID       string            `json:"id"`
	Author   Author            `json:"author"`
	Sent     time.Time         `json:"sent"`
	Text     string            `json:"text"`
	Tags     []string          `json:"tags"`
	Counts   map[string]int    `json:"counts"`
	Headers  map[string]string `json:"headers"`
	Replies  []Message         `json:"replies"`
	Location *Location         `json:"location"`
}

// Author is who wrote a message.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Location is where a message was written.
type Location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Reader counts what it has read.
type Reader struct{ Messages int }

// Accept reads the messages of one partner.
func (r *Reader) Accept(body io.Reader) ([]Message, error) {
	decoder := json.NewDecoder(body)
	var list []Message
	for decoder.More() {
		var one Message
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}
