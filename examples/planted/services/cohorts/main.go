// Command cohorts groups customers and lists the members of groups.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type customer struct {
	id, year, spent int
	country         string
}

func groupBy[K comparable, V any](list []V, key func(V) K) map[K][]V {
	groups := map[K][]V{}
	for _, one := range list {
		name := key(one)
		groups[name] = append(groups[name], one)
	}
	return groups
}

func indexBy[K comparable, V any](list []V, key func(V) K) map[K]V {
	index := map[K]V{}
	for _, one := range list {
		index[key(one)] = one
	}
	return index
}

type branch struct {
	members     []customer
	left, right *branch
}

func (b *branch) visit(each func(customer)) {
	if b == nil {
		return
	}
	b.left.visit(each)
	for _, one := range b.members {
		each(one)
	}
	b.right.visit(each)
}

// members lists what is in all branches.
func (b *branch) list() []customer {
	var all []customer
	b.visit(func(one customer) { all = append(all, one) })
	return all
}

func grow(list []customer) *branch {
	if len(list) < 60 {
		return &branch{members: list}
	}
	third := len(list) / 3
	return &branch{members: list[third : 2*third], left: grow(list[:third]), right: grow(list[2*third:])}
}

func main() {
	host.Serve(50, []host.Call{{Path: "/index"}, {Path: "/members"}}, func(mux *http.ServeMux) {
		list := make([]customer, 7000)
		for i, spent := range sample.Numbers(44, len(list), 90_000) {
			list[i] = customer{id: i, year: 2000 + spent%25, spent: spent, country: "de"}
		}
		root := grow(list)
		mux.HandleFunc("GET /index", func(w http.ResponseWriter, _ *http.Request) {
			index := indexBy(list, func(one customer) int { return one.id })
			years := groupBy(list[:100], func(one customer) int { return one.year })
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(index)+len(years)), 10))
		})
		mux.HandleFunc("GET /members", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(root.list())), 10))
		})
	})
}
