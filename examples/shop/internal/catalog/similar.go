package catalog

import (
	"sort"
	"strings"
)

type neighbour struct {
	product Product
	shared  float64
}

// Similar returns the products that share most words and attributes with one.
func (c *Catalog) Similar(to Product, limit int) []Product {
	wanted := wordsOf(to)
	var neighbours []neighbour
	for _, p := range c.filter(to.Category) {
		if p.ID != to.ID {
			neighbours = append(neighbours, neighbour{p, overlap(wanted, wordsOf(p))})
		}
	}
	sort.SliceStable(neighbours, func(i, j int) bool { return neighbours[i].shared > neighbours[j].shared })
	var nearest []Product
	for _, one := range neighbours[:min(limit, len(neighbours))] {
		nearest = append(nearest, one.product)
	}
	return nearest
}

// wordsOf builds a set for every product compared: part of the allocation churn.
func wordsOf(p Product) map[string]bool {
	words := make(map[string]bool)
	for _, word := range strings.Fields(p.Name) {
		words[word] = true
	}
	for name, value := range p.Attributes {
		words[name+"="+value] = true
	}
	return words
}

func overlap(a, b map[string]bool) float64 {
	shared := 0
	for word := range a {
		if b[word] {
			shared++
		}
	}
	return float64(shared) / float64(len(a)+len(b)-shared)
}
