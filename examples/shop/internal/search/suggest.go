package search

import (
	"sort"
	"strings"
	"sync/atomic"
)

// Suggester completes the beginning of a word.
type Suggester struct {
	words [][]string
	leak  bool
	asked atomic.Int64
}

// leakEvery is how many questions pass between two leaks.
const leakEvery = 4

// NewSuggester collects the words of an index. With leak set it forgets a
// goroutine every few questions: the deliberate goroutine leak of this example.
func NewSuggester(x *Index, leak bool) *Suggester {
	s := &Suggester{leak: leak}
	for _, shard := range x.shards {
		var words []string
		for word := range shard.postings {
			words = append(words, word)
		}
		sort.Strings(words)
		s.words = append(s.words, words)
	}
	return s
}

// Suggest answers with the words of the first shard that knows some.
func (s *Suggester) Suggest(prefix string) []string {
	capacity := len(s.words)
	if s.leak && s.asked.Add(1)%leakEvery == 0 {
		// One answer too few fits: the slowest shard waits for ever.
		capacity -= 2
	}
	answers := make(chan []string, capacity)
	for _, words := range s.words {
		go s.ask(words, prefix, answers)
	}
	return <-answers
}

func (s *Suggester) ask(words []string, prefix string, answers chan<- []string) {
	answers <- complete(words, strings.ToLower(prefix))
}

func complete(words []string, prefix string) []string {
	from := sort.SearchStrings(words, prefix)
	to := from
	for to < len(words) && to-from < 10 && strings.HasPrefix(words[to], prefix) {
		to++
	}
	return words[from:to]
}
