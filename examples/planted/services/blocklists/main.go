// Command blocklists holds back messages with the words that a tenant does not want.
package main

import (
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type tenant struct{ words []string }

// pattern matches any of the words.
func (t *tenant) pattern() *regexp.Regexp {
	quoted := make([]string, len(t.words))
	for i, word := range t.words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(quoted, "|") + `)\b`)
}

type gate struct {
	tenants []*tenant
	log     *log.Logger
}

// isHeld writes down what it looks for.
func (g *gate) isHeld(number int, message string) bool {
	one := g.tenants[number%len(g.tenants)]
	for _, word := range one.words {
		g.log.Printf("tenant %d: message of %d bytes, word %q: contained=%t", number, len(message), word, strings.Contains(message, word))
	}
	return one.pattern().MatchString(message)
}

func main() {
	host.Serve(60, []host.Call{{Path: "/messages/%d"}}, func(mux *http.ServeMux) {
		file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			log.Fatal(err)
		}
		g := &gate{log: log.New(file, "gate ", log.LstdFlags)}
		for i := range 20 {
			g.tenants = append(g.tenants, &tenant{sample.Words(uint64(340+i), 18)})
		}
		message := string(sample.Text(360, 200))
		mux.HandleFunc("GET /messages/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendBool(nil, g.isHeld(number, message)))
		})
	})
}
