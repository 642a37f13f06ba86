package storefront

import (
	"regexp"
	"sync"
	"time"
)

var agentPattern = regexp.MustCompile(`^(?i)([a-z-]+)/([0-9.]+)(?:\s+\(([^)]*)\))?`)

// Limiter counts requests of each visitor in a second, behind one lock.
type Limiter struct {
	mu     sync.Mutex
	second int64
	counts map[string]int
	max    int
}

// NewLimiter lets each visitor make max requests in a second.
func NewLimiter(max int) *Limiter { return &Limiter{counts: make(map[string]int), max: max} }

// Allow says whether this visitor may go on.
func (l *Limiter) Allow(agent, tenant string) bool {
	key := tenant + "/" + family(agent)
	now := time.Now().Unix()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now != l.second {
		l.second = now
		clear(l.counts)
	}
	l.counts[key]++
	return l.counts[key] <= l.max
}

func family(agent string) string {
	match := agentPattern.FindStringSubmatch(agent)
	if match == nil {
		return "unknown"
	}
	return match[1]
}
