package main

import (
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

type line struct {
	SKU   string
	Count int
	Cents int
	At    int64
}

type order struct {
	Number int
	Zone   string
	Lines  []line
}

var heavy = regexp.MustCompile(`^S(\d+)-(L|XL)$`)

var blockedList, blockedSet = blockLists()

var berlin = must(time.LoadLocation("Europe/Berlin"))

func must(zone *time.Location, err error) *time.Location {
	if err != nil {
		panic(err)
	}
	return zone
}

func blockLists() ([]string, map[string]bool) {
	list, set := []string{}, map[string]bool{}
	for n := range 1200 {
		sku := "S" + strconv.Itoa(n*3) + "-M"
		list, set[sku] = append(list, sku), true
	}
	return list, set
}

func orderOf(number int) order {
	lines := make([]line, 150)
	for i := range lines {
		size := []string{"-M", "-L", "-XL"}[i%3]
		lines[i] = line{"S" + strconv.Itoa(number+i*7) + size, 1 + i%4, 300 + i*7%900, int64(1_760_000_000 + i*3600)}
	}
	return order{number, "Europe/Berlin", lines}
}

func isHeavy(sku string) bool {
	if slow == "pattern" {
		return regexp.MustCompile(`^S(\d+)-(L|XL)$`).MatchString(sku)
	}
	return heavy.MatchString(sku)
}

func total(o order) int {
	cents := 0
	for _, l := range o.Lines {
		cents += l.Count * l.Cents
		if isHeavy(l.SKU) {
			cents += 250
		}
	}
	return cents
}

func isBlocked(sku string) bool {
	if slow == "list" {
		for _, one := range blockedList {
			if one == sku {
				return true
			}
		}
		return false
	}
	return blockedSet[sku]
}

func blocked(o order) int {
	count := 0
	for _, l := range o.Lines {
		if isBlocked(l.SKU) {
			count++
		}
	}
	return count
}

func label(o order) int {
	if slow == "label" {
		text := ""
		for range 2 {
			for _, l := range o.Lines {
				text += l.SKU + " x " + strconv.Itoa(l.Count) + "\n"
			}
		}
		return len(text)
	}
	var text strings.Builder
	for range 2 {
		for _, l := range o.Lines {
			text.WriteString(l.SKU)
			text.WriteString(" x ")
			text.WriteString(strconv.Itoa(l.Count))
			text.WriteByte('\n')
		}
	}
	return text.Len()
}

func best(o order) string {
	lines := append([]line{}, o.Lines...)
	rounds := 1
	if slow == "order" {
		rounds = 20
	}
	for range rounds {
		lines = append(lines[:0], o.Lines...)
		sort.Slice(lines, func(i, j int) bool { return lines[i].Cents > lines[j].Cents })
	}
	return lines[0].SKU
}

func zoneOf(o order) *time.Location {
	if slow == "zone" {
		return must(time.LoadLocation(o.Zone))
	}
	return berlin
}

func deliveryDay(o order) string {
	last := time.Time{}
	for _, l := range o.Lines[:40] {
		if at := time.Unix(l.At, 0).In(zoneOf(o)); at.After(last) {
			last = at
		}
	}
	return last.Format(time.DateOnly)
}

func copyOf(o order) order {
	if slow == "copy" {
		text, _ := json.Marshal(o)
		var other order
		_ = json.Unmarshal(text, &other)
		return other
	}
	o.Lines = append([]line{}, o.Lines...)
	return o
}

func receipt(o order) int {
	other := copyOf(o)
	sum := 0
	for i := range other.Lines {
		other.Lines[i].Cents = other.Lines[i].Cents * 119 / 100
		sum += other.Lines[i].Cents
	}
	return sum
}
