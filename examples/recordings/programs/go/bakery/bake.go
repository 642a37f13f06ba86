package main

import (
	"context"
	"fmt"
	"runtime/pprof"
	"sort"
	"strings"
	"time"
)

var sink uint64

// startBaking keeps one CPU busy with a different function for each label.
func startBaking(depth int) {
	go func() {
		for round := 0; ; round++ {
			shop := []string{"north", "south", "harbour"}[round%3]
			labelled("knead", shop, func() { sink += knead(3_000) })
			labelled("sort", shop, func() { sink += uint64(sortAll()) })
			labelled("stack", shop, func() { sink += stack(depth, 2_000) })
			labelled("native", shop, func() { sink += nativeSum(600_000) })
			// Without any label.
			sink += uint64(len(receipt(round)))
			time.Sleep(time.Millisecond)
		}
	}()
}

func labelled(step, shop string, work func()) {
	labels := pprof.Labels("step", step, "shop", shop)
	pprof.Do(context.Background(), labels, func(context.Context) { work() })
}

// knead has three functions inlined into each other and into itself.
func knead(times int) uint64 {
	var dough uint64 = 1
	for i := 0; i < times; i++ {
		for j := uint64(0); j < 100; j++ {
			dough = fold(dough, j)
		}
	}
	return dough
}

func fold(dough, by uint64) uint64  { return press(dough^by) + by }
func press(dough uint64) uint64     { return turn(dough)*31 + 7 }
func turn(dough uint64) uint64      { return dough<<13 | dough>>51 }
func heavier(a, b loaf) bool        { return a.weight < b.weight }
func shorter(a, b string) bool      { return len(a) < len(b) || len(a) == len(b) && a < b }
func smaller[N number](a, b N) bool { return a < b }

type number interface{ ~int | ~float64 }

type loaf struct {
	name   string
	weight int
}

type byOrder[T any] struct {
	items  []T
	before func(a, b T) bool
}

func (o byOrder[T]) Len() int           { return len(o.items) }
func (o byOrder[T]) Less(i, j int) bool { return o.before(o.items[i], o.items[j]) }
func (o byOrder[T]) Swap(i, j int)      { o.items[i], o.items[j] = o.items[j], o.items[i] }

// inOrder is one generic function with four shapes of its argument.
func inOrder[T any](items []T, before func(a, b T) bool) []T {
	sort.Sort(byOrder[T]{items, before})
	return items
}

func sortAll() int {
	const size = 500
	loaves, names := make([]loaf, size), make([]string, size)
	weights, prices := make([]int, size), make([]float64, size)
	for i := range loaves {
		weight := i * 7919 % 1009
		loaves[i] = loaf{"loaf", weight}
		names[i] = strings.Repeat("x", weight%9) + "y"
		weights[i], prices[i] = weight, float64(weight)/3
	}
	return inOrder(loaves, heavier)[0].weight + len(inOrder(names, shorter)[0]) +
		inOrder(weights, smaller[int])[0] + int(inOrder(prices, smaller[float64])[0])
}

// stack calls itself to the depth asked for and works at the end.
//
//go:noinline
func stack(depth, times int) uint64 {
	if depth <= 1 {
		return knead(times)
	}
	return stack(depth-1, times) + 1
}

func receipt(number int) string {
	var lines []string
	for i := 0; i < 40; i++ {
		lines = append(lines, fmt.Sprintf("%04d bread %6.2f", number, float64(i)*1.25))
	}
	return strings.Join(lines, "\n")
}
