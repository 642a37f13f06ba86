package main

import (
	"sync"
	"time"
)

type position struct{ north, east int }

type ship struct {
	mu      sync.Mutex
	waiting []position
	last    position
	moved   int
}

func (s *ship) report(at position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, at)
}

func (s *ship) take() (position, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return position{}, false
	}
	first := s.waiting[0]
	s.waiting = s.waiting[1:]
	return first, true
}

// forward looks for new positions until the service ends.
func (s *ship) forward() {
	for {
		at, ok := s.take()
		if !ok {
			time.Sleep(500 * time.Microsecond)
			continue
		}
		if at != s.last {
			s.last = at
			s.moved++
		}
	}
}
