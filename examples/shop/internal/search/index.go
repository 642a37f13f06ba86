// Package search finds products by words.
package search

import (
	"regexp"
	"strings"

	"shop/internal/catalog"
	"shop/internal/journal"
)

// Index maps words to the products that contain them, split into shards.
type Index struct {
	products []catalog.Product
	shards   []*shard
	journal  journal.Journal
}

type shard struct {
	postings map[string][]int
	queries  chan query
}

const (
	shards          = 6
	workersPerShard = 8
)

var wordPattern = regexp.MustCompile(`[a-z0-9]+`)

// NewIndex indexes every product and starts the shards' workers.
func NewIndex(products []catalog.Product) *Index {
	index := &Index{products: products}
	for range shards {
		index.shards = append(index.shards, &shard{postings: make(map[string][]int), queries: make(chan query)})
	}
	for i, p := range products {
		s := index.shards[i%shards]
		for _, word := range tokenize(p.Name + " " + p.Description + " " + p.Category) {
			s.postings[word] = append(s.postings[word], i)
		}
	}
	for _, s := range index.shards {
		for range workersPerShard {
			go s.serve(index)
		}
	}
	return index
}

// tokenize makes new strings for every word: part of the allocation churn.
func tokenize(text string) []string {
	return wordPattern.FindAllString(strings.ToLower(text), -1)
}
