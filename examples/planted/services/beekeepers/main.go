// Command beekeepers records what beekeepers saw, and looks up their hives.
package main

import (
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type remark struct {
	word  *string
	place *int
	hive  *visit
}

type visit struct{ remarks []*remark }

type diary struct {
	mu     sync.Mutex
	visits [400]*visit
}

// note keeps each word with its place.
func (d *diary) note(number int, text string) int {
	seen := &visit{}
	for place, word := range slices.All(strings.Fields(text)) {
		lower := strings.ToLower(word + ".")
		seen.remarks = append(seen.remarks, &remark{&lower, &place, seen})
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.visits[number%len(d.visits)] = seen
	return len(seen.remarks)
}

type hive struct {
	code  string
	queen int
}

// queens sums the years of the queens of hives.
func queens(hives []hive, codes []string) (sum int) {
	for _, code := range codes {
		at := slices.IndexFunc(hives, func(one hive) bool { return one.code == code })
		if at >= 0 {
			sum += hives[at].queen
		}
	}
	return sum
}

func main() {
	host.Serve(45, []host.Call{{Weight: 3, Method: http.MethodPost, Path: "/visits/%d"}, {Weight: 1, Path: "/queens/%d"}}, func(mux *http.ServeMux) {
		debug.SetGCPercent(30)
		text, d := string(sample.Text(201, 7<<10)), &diary{}
		for number := range 400 {
			d.note(number, text)
		}
		codes := sample.Keys("hive-", 2500)
		var hives []hive
		for i, code := range codes {
			hives = append(hives, hive{code, i % 5})
		}
		mux.HandleFunc("POST /visits/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(d.note(number, text)), 10))
		})
		mux.HandleFunc("GET /queens/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(queens(hives, codes[from%2000:][:220])), 10))
		})
	})
}
