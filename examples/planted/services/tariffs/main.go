// Command tariffs works out what a parcel costs by the rules that the customs office has agreed with each country.
package main

import (
	"net/http"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type goods struct{ grams, cents, class int }

// rule adds to the duty of a shipment.
type rule interface{ duty(goods) int }

type percentage struct{ class, perMille int }

func (p percentage) duty(g goods) int {
	if g.class != p.class {
		return 0
	}
	return g.cents * p.perMille / 1000
}

type byWeight struct{ from, centsPerKilo int }

func (b byWeight) duty(g goods) int { return max(g.grams-b.from, 0) * b.centsPerKilo / 1000 }

type ceiling struct {
	of  rule
	max int
}

func (c *ceiling) duty(g goods) int { return min(c.of.duty(g), c.max) }

type all []rule

func (a all) duty(g goods) (sum int) {
	for _, one := range a {
		sum += one.duty(g)
	}
	return sum
}

func agreement(country int) rule {
	var rules all
	for class := range 10 {
		rules = append(rules, &ceiling{percentage{class, 20 + class*country%40}, 4000}, byWeight{500 * class, 3 + country%5})
	}
	return rules
}

func main() {
	var agreements []rule
	for country := range 24 {
		agreements = append(agreements, agreement(country))
	}
	var containers []goods
	for i, grams := range sample.Numbers(191, 4000, 30_000) {
		containers = append(containers, goods{grams, grams * 7 % 90_000, i % 10})
	}
	host.Serve(50, []host.Call{{Path: "/shipments/%d/duty"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /shipments/{number}/duty", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			number, sum := web.Number(r, "number"), 0
			for _, one := range containers {
				sum += agreements[number%len(agreements)].duty(one)
			}
			return web.Count(w, sum)
		}))
	})
}
