package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Truth is what `go tool pprof` says about one profile.
type Truth struct {
	// Totals of every sample type, named type/unit.
	Totals map[string]int64 `json:"totals"`
	// Functions of the last sample type with the largest cumulative and flat values.
	ByCum  []Function `json:"by_cum"`
	ByFlat []Function `json:"by_flat"`
}

// Function is one line of `go tool pprof -top`, in the sample type's unit.
type Function struct {
	Name string `json:"name"`
	Flat int64  `json:"flat"`
	Cum  int64  `json:"cum"`
}

const topFunctions = 20

// writeTruth writes truth/SERVICE-VARIANT.json.gz with the numbers of each file, and
// truth/SERVICE-VARIANT-TYPE.txt with the table of all windows merged.
func writeTruth(out string) error {
	manifest, err := readManifest(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "truth"), 0o755); err != nil {
		return err
	}
	for _, recording := range manifest.Recordings {
		if err := recording.writeTruth(out); err != nil {
			return fmt.Errorf("%s %s: %w", recording.Service, recording.Variant, err)
		}
	}
	return nil
}

func (r Recording) writeTruth(out string) error {
	byFile := make(map[string]Truth)
	byType := make(map[string][]string)
	for _, file := range r.Files {
		if file.Type == "metrics" {
			continue
		}
		path := filepath.Join(out, filepath.FromSlash(file.Path))
		truth, err := truthOf(path)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
		byFile[file.Path] = truth
		byType[file.Type] = append(byType[file.Type], path)
	}
	base := filepath.Join(out, "truth", r.Service+"-"+r.Variant)
	if err := writePacked(base+".json.gz", byFile); err != nil {
		return err
	}
	for kind, paths := range byType {
		table, err := pprof(append([]string{"-top", "-cum", "-nodecount=40"}, paths...)...)
		if err != nil {
			return err
		}
		if err := os.WriteFile(base+"-"+kind+".txt", []byte(table), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writePacked(path string, truths map[string]Truth) error {
	text, err := json.Marshal(truths)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(text); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}

func truthOf(path string) (Truth, error) {
	raw, err := pprof("-raw", path)
	if err != nil {
		return Truth{}, err
	}
	names, totals, err := totalsOf(raw)
	if err != nil {
		return Truth{}, err
	}
	truth := Truth{Totals: make(map[string]int64)}
	for i, name := range names {
		truth.Totals[name] = totals[i]
	}
	last := names[len(names)-1]
	unit := last[strings.LastIndex(last, "/")+1:]
	if truth.ByCum, err = topOf(path, unit, "-cum"); err != nil {
		return Truth{}, err
	}
	truth.ByFlat, err = topOf(path, unit, "-flat")
	return truth, err
}

func topOf(path, unit, order string) ([]Function, error) {
	table, err := pprof("-top", order, "-unit="+unit, "-nodefraction=0", fmt.Sprintf("-nodecount=%d", topFunctions), path)
	if err != nil {
		return nil, err
	}
	return functionsOf(table)
}

var samplePattern = regexp.MustCompile(`^\s*(-?\d+(?:\s+-?\d+)*):`)

// totalsOf sums the samples of `go tool pprof -raw`.
func totalsOf(raw string) (names []string, totals []int64, err error) {
	_, samples, found := strings.Cut(raw, "Samples:\n")
	if !found {
		return nil, nil, fmt.Errorf("no samples in pprof's answer")
	}
	lines := strings.Split(samples, "\n")
	for _, name := range strings.Fields(lines[0]) {
		names = append(names, strings.TrimSuffix(name, "[dflt]"))
	}
	totals = make([]int64, len(names))
	for _, line := range lines[1:] {
		if line == "Locations" {
			break
		}
		match := samplePattern.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		for i, text := range strings.Fields(match[1]) {
			value, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, nil, err
			}
			totals[i] += value
		}
	}
	return names, totals, nil
}

var linePattern = regexp.MustCompile(`^\s*(-?\d+)\S*\s+\S+%\s+\S+%\s+(-?\d+)\S*\s+\S+%\s+(.+?)(?: \((?:partial-)?inline\))?$`)

// functionsOf reads the lines of `go tool pprof -top`.
func functionsOf(table string) ([]Function, error) {
	functions := []Function{}
	for _, line := range strings.Split(table, "\n") {
		match := linePattern.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		flat, err := strconv.ParseInt(match[1], 10, 64)
		if err != nil {
			return nil, err
		}
		cum, err := strconv.ParseInt(match[2], 10, 64)
		if err != nil {
			return nil, err
		}
		functions = append(functions, Function{Name: match[3], Flat: flat, Cum: cum})
	}
	return functions, nil
}

func pprof(arguments ...string) (string, error) {
	command := exec.Command("go", append([]string{"tool", "pprof", "-symbolize=none"}, arguments...)...)
	out, err := command.Output()
	return string(out), err
}
