// Package trail notes what happened to a parcel.
package trail

import (
	"io"
	"log"
	"time"
)

// Trail writes notes.
type Trail struct{ log *log.Logger }

// New writes to the stream.
func New(to io.Writer) *Trail {
	return &Trail{log: log.New(to, "trail ", log.LstdFlags|log.Lmicroseconds|log.Lshortfile)}
}

// Note writes one line.
func (t *Trail) Note(parcel, step int, place string) {
	t.log.Printf("parcel %d took step %d at %s (%v)", parcel, step, place, step%3 == 0)
}

// Spans measures how long functions take.
type Spans struct{ Total, Slowest time.Duration }

// Measure calls a function.
func (s *Spans) Measure(function func()) {
	began := time.Now()
	function()
	took := time.Since(began)
	s.Total += took
	s.Slowest = max(s.Slowest, took)
}
