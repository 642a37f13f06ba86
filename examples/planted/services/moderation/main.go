// Command moderation finds words in comments that must not be shown.
package main

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type check func(text string) bool

// newPolicy makes a check out of the patterns that an editor wrote.
func newPolicy(lines []string) check {
	var patterns []string
	for _, line := range lines {
		if word := strings.ToLower(strings.TrimSpace(line)); word != "" {
			patterns = append(patterns, word)
		}
	}
	return func(text string) bool {
		for _, pattern := range patterns {
			if found, err := regexp.MatchString(`(?i)\b`+pattern+`(s|ed|ing)?\b`, text); err == nil && found {
				return true
			}
		}
		return false
	}
}

type mask struct{ expressions []*regexp.Regexp }

func newMask(words []string) *mask {
	m := &mask{}
	for _, word := range words {
		m.expressions = append(m.expressions, regexp.MustCompile(`(?i)[^a-z]`+word+`[0-9]*[^a-z]`))
	}
	return m
}

func (m *mask) apply(text string) string {
	for _, expression := range m.expressions {
		text = expression.ReplaceAllString(text, " *** ")
	}
	return text
}

func main() {
	comment := string(sample.Text(41, 2500))
	host.Serve(55, []host.Call{{Weight: 3, Method: http.MethodPost, Path: "/check"}, {Weight: 1, Method: http.MethodPost, Path: "/mask"}}, func(mux *http.ServeMux) {
		allowed := newPolicy([]string{"curse", "swear", "insult", "offend", "mock", "jeer", "taunt", "sneer", "scorn", "slander"})
		masked := newMask([]string{"amber", "timber", "quartz"})
		mux.HandleFunc("POST /check", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendBool(nil, allowed(comment[:90])))
		})
		mux.HandleFunc("POST /mask", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(masked.apply(comment))) })
	})
}
