package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"

	"shop/internal/load"
	"shop/internal/pricing"
)

// services are the personalities of this binary. Each registers its routes and
// answers with the mix of calls that keeps it busy.
var services map[string]func(m *router, o options, base string) ([]load.Call, error)

func init() {
	services = map[string]func(m *router, o options, base string) ([]load.Call, error){
		"checkout": checkoutService,
		"catalog":  catalogService,
		"search":   searchService,
		"gateway":  gatewayService,
	}
}

const productCount = 16000

func visitor(random *rand.Rand) http.Header {
	tenants := []string{"acme", "acme", "globex", "initech"}
	return http.Header{
		"X-Tenant":   {tenants[random.IntN(len(tenants))]},
		"User-Agent": {fmt.Sprintf("shopper/%d.%d (load)", 1+random.IntN(4), random.IntN(20))},
	}
}

func fixed(path string) func(*rand.Rand) string {
	return func(*rand.Rand) string { return path }
}

// numbered fills a number below max into format.
func numbered(format string, max int) func(*rand.Rand) string {
	return func(random *rand.Rand) string { return fmt.Sprintf(format, random.IntN(max)) }
}

func oneOf(paths ...string) func(*rand.Rand) string {
	return func(random *rand.Rand) string { return paths[random.IntN(len(paths))] }
}

// cartBody is a cart of eight lines; about one in sixty asks for more than there is.
func cartBody(random *rand.Rand) []byte {
	lines := make([]pricing.Line, 8)
	for i := range lines {
		lines[i] = pricing.Line{SKU: fmt.Sprintf("SKU-%05d", random.IntN(productCount)), Quantity: 1 + random.IntN(30)}
	}
	if random.IntN(60) == 0 {
		lines[0].Quantity = 99
	}
	body, err := json.Marshal(lines)
	if err != nil {
		panic(err)
	}
	return body
}
