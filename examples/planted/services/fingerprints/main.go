// Command fingerprints finds the results of earlier computations by what went into them.
package main

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type results[V any] struct {
	mu    sync.Mutex
	byKey map[string]V
}

// keyOf identifies an input by its content.
func (r *results[V]) keyOf(input []byte) string {
	sum := md5.Sum(input)
	return hex.EncodeToString(sum[:])
}

func (r *results[V]) get(input []byte, compute func([]byte) V) V {
	key := r.keyOf(input)
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.byKey[key]
	if !ok {
		found = compute(input)
		r.byKey[key] = found
	}
	return found
}

type owner struct {
	name  string
	input int
}

type register struct{ owners []owner }

func (g *register) ownerOf(input int) string {
	at := slices.IndexFunc(g.owners, func(one owner) bool { return one.input == input })
	if at < 0 {
		return ""
	}
	return g.owners[at].name
}

// names are the owners of many inputs.
func (g *register) names(from int) int {
	length := 0
	for input := from; input < from+150; input++ {
		length += len(g.ownerOf(input * 7919 % 1_000_003))
	}
	return length
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Path: "/result/%d"}, {Weight: 1, Path: "/owners/%d"}}, func(mux *http.ServeMux) {
		cache, inputs, g := &results[int]{byKey: map[string]int{}}, [][]byte{}, &register{}
		for i := range 20 {
			inputs = append(inputs, sample.Bytes(uint64(i), 350<<10))
		}
		for i, name := range sample.Keys("o", 6000) {
			g.owners = append(g.owners, owner{name, i * 7919 % 1_000_003})
		}
		mux.HandleFunc("GET /result/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			result := cache.get(inputs[number%len(inputs)], func(input []byte) int { return len(input) })
			_, _ = w.Write(strconv.AppendInt(nil, int64(result), 10))
		})
		mux.HandleFunc("GET /owners/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(g.names(from%5000)), 10))
		})
	})
}
