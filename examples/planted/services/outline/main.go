// Command outline builds trees of the headings of documents.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type node struct {
	title    *string
	parent   *node
	children []*node
	notes    map[string]*string
}

type outliner struct {
	titles []string
	mu     sync.Mutex
	recent [400]*node
	next   int
}

// tree is a node with as many levels below it.
func (o *outliner) tree(parent *node, depth, number int) *node {
	title := o.titles[number%len(o.titles)] + strconv.Itoa(depth)
	one := &node{title: &title, parent: parent, notes: map[string]*string{"title": &title}}
	if depth > 0 {
		for i := range 3 {
			one.children = append(one.children, o.tree(one, depth-1, number+i))
		}
	}
	return one
}

func (o *outliner) serve(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	root := o.tree(nil, 5, number)
	o.mu.Lock()
	o.recent[o.next%len(o.recent)] = root
	o.next++
	o.mu.Unlock()
	_, _ = w.Write([]byte(*root.title))
}

func main() {
	host.Serve(40, []host.Call{{Path: "/outline/%d"}}, func(mux *http.ServeMux) {
		o := &outliner{titles: sample.Words(17, 300)}
		mux.HandleFunc("GET /outline/{number}", o.serve)
	})
}
