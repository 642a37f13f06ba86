// Command guests merges the guest lists of parties and prints tickets for them.
package main

import (
	"crypto/rand"
	"log"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type guest struct {
	name, mail string
	party      int
}

// merge adds the guests that are not invited yet.
func merge(invited, more []guest) []guest {
	all := slices.Clone(invited)
	for _, one := range more {
		if !slices.ContainsFunc(all, func(other guest) bool { return strings.EqualFold(other.mail, one.mail) }) {
			all = append(all, one)
		}
	}
	return all
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// ticket is a code of random letters.
func ticket(length int) string {
	code := make([]byte, length)
	for i := range code {
		at, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			log.Fatal(err)
		}
		code[i] = letters[at.Int64()]
	}
	return string(code)
}

func tickets(count int) int {
	length := 0
	for range count {
		length += len(ticket(12))
	}
	return length
}

func main() {
	host.Serve(60, []host.Call{{Weight: 2, Path: "/parties/%d/guests"}, {Weight: 3, Method: http.MethodPost, Path: "/parties/%d/tickets"}}, func(mux *http.ServeMux) {
		var invited, more []guest
		for i, name := range sample.Keys("guest", 500) {
			invited = append(invited, guest{name, name + "@example.org", 1})
			more = append(more, guest{name, strconv.Itoa(i*2) + name + "@example.org", 2})
		}
		mux.HandleFunc("GET /parties/{party}/guests", func(w http.ResponseWriter, r *http.Request) {
			party, _ := strconv.Atoi(r.PathValue("party"))
			from := party % 250
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(merge(invited, more[from:from+250]))), 10))
		})
		mux.HandleFunc("POST /parties/{party}/tickets", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(tickets(120)), 10))
		})
	})
}
