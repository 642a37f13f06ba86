// Command census groups the people of a town by what they answered.
package main

import (
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type person struct {
	street string
	job    *string
	age    int
}

type group struct {
	people []*person
	byAge  map[int]*person
}

type census struct{ people []*person }

// byStreet makes a group for each street.
func (c *census) byStreet(from, count int) map[string]*group {
	groups := make(map[string]*group, 64)
	for _, one := range c.people[from : from+count] {
		in, ok := groups[one.street]
		if !ok {
			in = &group{byAge: map[int]*person{}}
			groups[one.street] = in
		}
		in.people = append(in.people, &person{one.street, one.job, one.age})
		in.byAge[one.age] = one
	}
	return groups
}

func main() {
	host.Serve(50, []host.Call{{Path: "/streets/%d"}}, func(mux *http.ServeMux) {
		c := &census{}
		jobs := sample.Words(131, 40)
		for i, street := range sample.Words(132, 8000) {
			c.people = append(c.people, &person{street, &jobs[i%40], i * 31 % 90})
		}
		mux.HandleFunc("GET /streets/{from}", func(w http.ResponseWriter, r *http.Request) {
			from, _ := strconv.Atoi(r.PathValue("from"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(c.byStreet(from%5000, 2000))), 10))
		})
	})
}
