// Command filters checks the addresses and codes of sign-up forms.
package main

import (
	"net/http"
	"regexp"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type form struct{ Email, Phone, Code string }

type checker struct{ countries map[string]string }

func (c *checker) validate(one form, country string) bool {
	if !matches(`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`, one.Email) {
		return false
	}
	return matches(c.countries[country], one.Phone) && strings.HasPrefix(one.Code, "c-")
}

// matches reports whether the text has the form of the pattern.
func matches(pattern, text string) bool {
	expression, err := regexp.Compile(pattern)
	return err == nil && expression.MatchString(text)
}

func (c *checker) batch(w http.ResponseWriter, _ *http.Request) {
	valid := 0
	for _, word := range sample.Words(5, 24) {
		one := form{Email: word + "@" + word + ".example.com", Phone: "+49 30 123456", Code: "c-" + word}
		if c.validate(one, "de") {
			valid++
		}
	}
	if valid == 0 {
		w.WriteHeader(http.StatusUnprocessableEntity)
	}
}

func main() {
	host.Serve(60, []host.Call{{Method: http.MethodPost, Path: "/forms"}}, func(mux *http.ServeMux) {
		c := &checker{countries: map[string]string{"de": `^\+49[0-9 ]{6,14}$`, "fr": `^\+33[0-9 ]{6,12}$`}}
		mux.HandleFunc("POST /forms", c.batch)
	})
}
