package pricing

import "runtime"

// yieldEvery is how many rounds pass before others may run: without it long
// quotes would hold up whoever wakes up with a lock held.
const yieldEvery = 256

// seal is the hash loop: its cost is rounds x lines, and nothing else.
//
//go:noinline
func (b *Book) seal(lines []PricedLine) uint64 {
	h := uint64(14695981039346656037)
	for round := 1; round <= b.sealRounds; round++ {
		for i := range lines {
			h = hashLine(h, &lines[i])
		}
		if round%yieldEvery == 0 {
			runtime.Gosched()
		}
	}
	return h
}

//go:noinline
func hashLine(h uint64, line *PricedLine) uint64 {
	h = hashText(h, line.SKU)
	h = hashNumber(h, uint64(line.Total))
	return hashNumber(h, uint64(line.Quantity))
}

//go:noinline
func hashText(h uint64, text string) uint64 {
	for i := 0; i < len(text); i++ {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

//go:noinline
func hashNumber(h, n uint64) uint64 {
	for shift := 0; shift < 64; shift += 8 {
		h = (h ^ (n >> shift & 0xff)) * 1099511628211
	}
	return h
}
