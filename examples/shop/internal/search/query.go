package search

import (
	"container/heap"
	"regexp"
	"strings"

	"shop/internal/catalog"
)

// Hit is one product found, with the words found set in bold.
type Hit struct {
	Product catalog.Product `json:"product"`
	Score   float64         `json:"score"`
	Snippet string          `json:"snippet"`
}

type query struct {
	words []string
	reply chan<- []candidate
}

type candidate struct {
	product int
	score   float64
}

// Search asks every shard over its channel and keeps the best hits.
func (x *Index) Search(text string, limit int) []Hit {
	words := tokenize(text)
	replies := make(chan []candidate, len(x.shards))
	for _, s := range x.shards {
		s.queries <- query{words: words, reply: replies}
	}
	var best ranking
	for range x.shards {
		for _, c := range <-replies {
			heap.Push(&best, c)
			if best.Len() > limit {
				heap.Pop(&best)
			}
		}
	}
	return x.present(best, words)
}

func (s *shard) serve(index *Index) {
	for q := range s.queries {
		found := s.score(index, q.words)
		index.journal.Write(q.words[0])
		q.reply <- found
	}
}

func (s *shard) score(index *Index, words []string) []candidate {
	scores := make(map[int]float64)
	for _, word := range words {
		postings := s.postings[word]
		for _, i := range postings {
			scores[i] += weigh(index.products[i], word) / float64(1+len(postings))
		}
	}
	found := make([]candidate, 0, len(scores))
	for i, score := range scores {
		found = append(found, candidate{i, score})
	}
	return found
}

func weigh(p catalog.Product, word string) float64 {
	weight := float64(strings.Count(p.Description, word))
	if strings.Contains(p.Name, word) {
		weight += 8
	}
	return weight
}

func (x *Index) present(best ranking, words []string) []Hit {
	hits := make([]Hit, best.Len())
	for i := len(hits) - 1; i >= 0; i-- {
		c := heap.Pop(&best).(candidate)
		p := x.products[c.product]
		hits[i] = Hit{Product: p, Score: c.score, Snippet: highlight(p.Description, words)}
	}
	return hits
}

// highlight compiles its pattern for every hit, as much real code does.
func highlight(text string, words []string) string {
	pattern := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	return pattern.ReplaceAllString(text, "<b>$1</b>")
}

// ranking is a heap with the worst candidate on top.
type ranking []candidate

func (r ranking) Len() int { return len(r) }
func (r ranking) Less(i, j int) bool {
	if r[i].score != r[j].score {
		return r[i].score < r[j].score
	}
	return r[i].product > r[j].product
}
func (r ranking) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *ranking) Push(c any)   { *r = append(*r, c.(candidate)) }
func (r *ranking) Pop() any {
	old := *r
	last := old[len(old)-1]
	*r = old[:len(old)-1]
	return last
}
