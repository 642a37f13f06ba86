// Command recipes keeps the recipes that cooks are editing, as trees.
package main

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type ingredient struct {
	name   *string
	amount *int
	recipe *recipe
}

type recipe struct {
	ingredients []*ingredient
	byName      map[string]*ingredient
}

type kitchen struct {
	mu      sync.Mutex
	editing map[int]*recipe
}

// read takes a recipe apart: a line for each ingredient.
func read(text string) *recipe {
	r := &recipe{byName: map[string]*ingredient{}}
	for line := range strings.Lines(text) {
		for name := range strings.FieldsSeq(line) {
			amount := len(line)
			one := &ingredient{name: &name, amount: &amount, recipe: r}
			r.ingredients = append(r.ingredients, one)
			r.byName[name] = one
		}
	}
	return r
}

func (k *kitchen) edit(cook int, text string) int {
	r := read(text)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.editing[cook] = r
	return len(r.byName)
}

func main() {
	host.Serve(50, []host.Call{{Method: http.MethodPut, Path: "/cooks/%d/recipe", Range: 500}}, func(mux *http.ServeMux) {
		debug.SetGCPercent(25)
		text, k := string(sample.Text(141, 5<<10)), &kitchen{editing: map[int]*recipe{}}
		for cook := range 500 {
			k.edit(cook, text)
		}
		mux.HandleFunc("PUT /cooks/{cook}/recipe", func(w http.ResponseWriter, r *http.Request) {
			cook, _ := strconv.Atoi(r.PathValue("cook"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(k.edit(cook, text)), 10))
		})
	})
}
