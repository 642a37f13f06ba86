package main

import (
	"slices"
	"strings"
	"testing"
)

func TestFlagsThatTheServiceHas(t *testing.T) {
	for line, want := range map[string]regressions{
		"":                 nil,
		"-regress pricing": {"pricing"},
		"-service checkout -regress lock,pricing": {"lock", "pricing"},
		"-service checkout -regress all":          {"pricing", "lock"},
		"-service catalog -regress all":           {"cache"},
		"-service search -leak":                   nil,
	} {
		o, err := parseOptions(strings.Fields(line))
		if err != nil || !slices.Equal(o.regress, want) {
			t.Errorf("shop %s: regressions %q, error %v; want %q", line, o.regress, err, want)
		}
	}
}

func TestFlagsThatTheServiceLacksAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		"-service checkout -leak":          "the service checkout does not leak: -leak is for -service search",
		"-service search -regress cache":   "the service search has no regressions: leave -regress out",
		"-service gateway -regress all":    "the service gateway has no regressions: leave -regress out",
		"-service catalog -regress lock":   `the service catalog has no regression "lock": choose cache, or all`,
		"-service checkout -regress speed": `the service checkout has no regression "speed": choose pricing, lock, or all`,
		"-service till":                    `there is no service "till"`,
		"-push http://localhost:4040":      "-push needs -key",
	} {
		if _, err := parseOptions(strings.Fields(line)); err == nil || err.Error() != want {
			t.Errorf("shop %s: error %v; want %s", line, err, want)
		}
	}
}
