// Command complaints takes letters of complaint in any form, and finds order numbers in them.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

const bodyMax = 64 << 10

// normalize gives a letter the names of fields that the archive expects.
func normalize(body []byte) ([]byte, error) {
	var letter map[string]any
	if err := json.Unmarshal(body, &letter); err != nil {
		return nil, err
	}
	renamed := make(map[string]any, len(letter))
	for name, value := range letter {
		renamed[strings.ToLower(name)] = value
	}
	return json.Marshal(renamed)
}

type rule struct{ prefix string }

// numbers finds those that begin with the prefix of the rule.
func (r rule) numbers(text string) []string {
	pattern := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(r.prefix) + `[- ]?([0-9]{4,8})(?:/([a-z]{2}))?\b`)
	return pattern.FindAllString(text, 8)
}

func letterOf(number int) []byte {
	fields := map[string]any{"Order": number, "Urgent": number%2 == 0}
	for i, word := range sample.Words(uint64(number%50), 60) {
		fields["Field"+strconv.Itoa(i)] = []string{word, "broken", "late"}
	}
	body, _ := json.Marshal(fields)
	return body
}

func main() {
	rules := []rule{{"ord"}, {"ref"}, {"inv"}, {"ret"}}
	host.Serve(50, []host.Call{
		{Weight: 3, Method: http.MethodPost, Path: "/letters", Body: letterOf},
		{Weight: 9, Path: "/letters/%d/orders"},
	}, func(mux *http.ServeMux) {
		text := string(sample.Text(91, 700)) + " ORD-12345/de and ref 9981"
		mux.HandleFunc("POST /letters", func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(io.LimitReader(r.Body, bodyMax))
			if err == nil {
				body, err = normalize(body)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_, _ = w.Write(body[:200])
		})
		mux.HandleFunc("GET /letters/{number}/orders", func(w http.ResponseWriter, _ *http.Request) {
			count := 0
			for _, one := range rules {
				count += len(one.numbers(text))
			}
			_, _ = w.Write(strconv.AppendInt(nil, int64(count), 10))
		})
	})
}
