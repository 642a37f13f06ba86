// Command settings notices changed settings and numbers the changes.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"reflect"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type setting struct {
	Name   string
	Values []string
	Limits map[string]int
}

type tree struct {
	Version  int
	Settings []setting
	Owners   map[string][]string
}

type differ struct{ current, proposed *tree }

func (d *differ) changed() bool { return !reflect.DeepEqual(d.current, d.proposed) }

// identifier is unique among all services.
func identifier() string {
	var bytes [16]byte
	_, _ = rand.Read(bytes[:])
	bytes[6] = bytes[6]&0x0f | 0x40
	bytes[8] = bytes[8]&0x3f | 0x80
	return hex.EncodeToString(bytes[:])
}

func number(count int) int {
	length := 0
	for range count {
		length += len(identifier())
	}
	return length
}

func newTree() *tree {
	t := &tree{Version: 3, Owners: map[string][]string{}}
	for i, name := range sample.Words(55, 220) {
		t.Settings = append(t.Settings, setting{Name: name, Values: sample.Words(uint64(i), 6), Limits: map[string]int{"low": i, "high": 9 * i}})
		t.Owners[name] = []string{"ada", "ben"}
	}
	return t
}

func main() {
	host.Serve(50, []host.Call{{Weight: 2, Path: "/changed"}, {Weight: 1, Method: http.MethodPost, Path: "/numbers"}}, func(mux *http.ServeMux) {
		d := &differ{newTree(), newTree()}
		mux.HandleFunc("GET /changed", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendBool(nil, d.changed()))
		})
		mux.HandleFunc("POST /numbers", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(number(1200)), 10))
		})
	})
}
