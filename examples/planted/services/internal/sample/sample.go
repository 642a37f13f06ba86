// Package sample makes data for the services, the same in every run.
package sample

import (
	"math/rand/v2"
	"strconv"
)

var words = []string{
	"amber", "basket", "copper", "delta", "ember", "fabric", "garnet", "harbor", "island", "jacket", "kettle", "ladder",
	"marble", "nectar", "orange", "pepper", "quartz", "ribbon", "saddle", "timber", "umber", "velvet", "walnut", "yellow",
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

// Words is a list of words, some of them with a number.
func Words(seed uint64, count int) []string {
	from := random(seed)
	list := make([]string, count)
	for i := range list {
		list[i] = words[from.IntN(len(words))]
		if from.IntN(3) == 0 {
			list[i] += strconv.Itoa(from.IntN(1000))
		}
	}
	return list
}

// Keys are different from each other.
func Keys(prefix string, count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = prefix + strconv.Itoa(i*7919%1_000_003)
	}
	return list
}

// Text has lines of eight words and about the size given.
func Text(seed uint64, size int) []byte {
	from := random(seed)
	text := make([]byte, 0, size+64)
	for column := 1; len(text) < size; column++ {
		text = append(text, words[from.IntN(len(words))]...)
		if column%8 == 0 {
			text = append(text, '\n')
		} else {
			text = append(text, ' ')
		}
	}
	return text
}

// Numbers are between 0 and limit.
func Numbers(seed uint64, count, limit int) []int {
	from := random(seed)
	list := make([]int, count)
	for i := range list {
		list[i] = from.IntN(limit)
	}
	return list
}

// Bytes do not compress.
func Bytes(seed uint64, size int) []byte {
	from := random(seed)
	list := make([]byte, size)
	for i := range list {
		list[i] = byte(from.Uint32())
	}
	return list
}
