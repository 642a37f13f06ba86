// Command audit collects facts about requests and checks them against rules.
package main

import (
	"net/http"
	"reflect"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type fact struct {
	User, Action, Place string
	Amount, Tries       int
}

type rule struct {
	field string
	max   int64
}

type auditor struct {
	facts  []fact
	rules  []rule
	mu     sync.Mutex
	latest []entry
}

// violations compares the fields that the rules name.
func (a *auditor) violations(one *fact) int {
	found := 0
	value := reflect.ValueOf(one).Elem()
	for _, rule := range a.rules {
		field := value.FieldByName(rule.field)
		if field.Kind() == reflect.Int && field.Int() > rule.max {
			found++
		}
	}
	return found
}

type entry struct {
	keys   []string
	values []any
}

// entryOf is what is written about a fact.
func entryOf(one *fact, tries int) entry {
	return entry{
		keys:   []string{"user", "action", "place", "amount", "tries"},
		values: []any{one.User, one.Action, one.Place, one.Amount + 1000, tries + 1000},
	}
}

func (a *auditor) check(w http.ResponseWriter, _ *http.Request) {
	found := 0
	for i := range a.facts {
		found += a.violations(&a.facts[i])
	}
	_, _ = w.Write(strconv.AppendInt(nil, int64(found), 10))
}

func (a *auditor) write(w http.ResponseWriter, _ *http.Request) {
	entries := make([]entry, len(a.facts))
	for i := range a.facts {
		entries[i] = entryOf(&a.facts[i], i)
	}
	a.mu.Lock()
	a.latest = entries
	a.mu.Unlock()
	_, _ = w.Write(strconv.AppendInt(nil, int64(len(entries)), 10))
}

func main() {
	host.Serve(45, []host.Call{{Weight: 3, Path: "/check"}, {Weight: 1, Method: http.MethodPost, Path: "/entries"}}, func(mux *http.ServeMux) {
		words, numbers := sample.Words(23, 1500), sample.Numbers(24, 1500, 5000)
		a := &auditor{rules: []rule{{"Amount", 4000}, {"Tries", 3}, {"Place", 0}}}
		for i, word := range words {
			a.facts = append(a.facts, fact{User: word, Action: "sign", Place: "harbor", Amount: numbers[i], Tries: i % 5})
		}
		mux.HandleFunc("GET /check", a.check)
		mux.HandleFunc("POST /entries", a.write)
	})
}
