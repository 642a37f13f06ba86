package checkout

import (
	"regexp"
	"sort"
	"strings"

	"shop/internal/pricing"
)

var linePattern = regexp.MustCompile(`(?i)order ([a-z]+-\d+): line (SKU-\d+) piece (\d+) of (\d+) ([a-z ]+) at (\d+) cents`)

// risk reads an order's history the slow way, by pattern, and scores how much of
// it is in few hands: many small strings, maps and a sort.
func risk(events []Event, quote pricing.Quote) float64 {
	steps := make(map[string]int)
	for i := 0; i < len(events); i += 4 {
		if match := linePattern.FindStringSubmatch(events[i].Text); match != nil {
			steps[strings.ToLower(match[2])+"/"+strings.TrimSpace(match[5])]++
		}
	}
	names := make([]string, 0, len(steps))
	for name := range steps {
		names = append(names, name)
	}
	sort.Strings(names)
	var score float64
	for i, name := range names {
		score += float64(steps[name]) / float64(i+1)
	}
	return score / float64(len(quote.Lines)+1)
}
