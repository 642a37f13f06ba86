// Package catalog knows every product and caches rendered product pages.
package catalog

import (
	"fmt"
	"sort"
	"strings"
)

// Product is one thing on sale.
type Product struct {
	ID          int               `json:"id"`
	SKU         string            `json:"sku"`
	Name        string            `json:"name"`
	Category    string            `json:"category"`
	Description string            `json:"description"`
	PriceCents  int64             `json:"price_cents"`
	Stock       int               `json:"stock"`
	Attributes  map[string]string `json:"attributes"`
}

// Catalog holds all products in memory.
type Catalog struct {
	products []Product
}

var (
	categories = []string{"garden", "kitchen", "lighting", "office", "outdoor", "storage", "textile", "toys"}
	materials  = []string{"oak", "steel", "linen", "glass", "cork", "wool", "clay", "brass"}
	things     = []string{"lamp", "chair", "basket", "kettle", "blanket", "shelf", "lantern", "tray", "stool", "vase"}
	tones      = []string{"quiet", "plain", "warm", "light", "round", "folded", "tall", "small"}
)

// New makes a catalog of n products, the same ones every time.
func New(n int) *Catalog {
	c := &Catalog{products: make([]Product, 0, n)}
	for id := range n {
		c.products = append(c.products, product(id))
	}
	return c
}

func product(id int) Product {
	material, thing, tone := materials[id%8], things[id/8%10], tones[id/80%8]
	return Product{
		ID:          id,
		SKU:         fmt.Sprintf("SKU-%05d", id),
		Name:        fmt.Sprintf("%s %s %s", tone, material, thing),
		Category:    categories[id*7%8],
		Description: strings.Repeat(fmt.Sprintf("A %s %s made of %s. ", tone, thing, material), 4),
		PriceCents:  int64(500 + id*7919%20000),
		Stock:       id * 31 % 400,
		Attributes:  map[string]string{"material": material, "tone": tone, "care": "wipe clean", "origin": categories[id%8]},
	}
}

// All returns every product.
func (c *Catalog) All() []Product { return c.products }

// Find returns the product with this id.
func (c *Catalog) Find(id int) (Product, bool) {
	if id < 0 || id >= len(c.products) {
		return Product{}, false
	}
	return c.products[id], true
}

// Page returns the products of a category, cheapest first.
func (c *Catalog) Page(category string, limit int) []Product {
	matching := c.filter(category)
	sortByPrice(matching)
	return matching[:min(limit, len(matching))]
}

func (c *Catalog) filter(category string) []Product {
	var matching []Product
	for _, p := range c.products {
		if strings.EqualFold(p.Category, category) {
			matching = append(matching, p)
		}
	}
	return matching
}

func sortByPrice(products []Product) {
	sort.Slice(products, func(i, j int) bool {
		if products[i].PriceCents != products[j].PriceCents {
			return products[i].PriceCents < products[j].PriceCents
		}
		return products[i].SKU < products[j].SKU
	})
}
