package host

import (
	"bytes"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
)

const (
	wallLength   = 5 * time.Second
	wallInterval = 40 * time.Millisecond
)

// storeWall looks again and again at what requests with labels do, running or not.
func storeWall(options options, name string) error {
	var seen []*profile.Profile
	ticker := time.NewTicker(wallInterval)
	defer ticker.Stop()
	for range int(wallLength / wallInterval) {
		<-ticker.C
		one, err := labelledGoroutines()
		if err != nil {
			return err
		}
		if len(one.Sample) > 0 {
			seen = append(seen, one)
		}
	}
	whole, err := profile.Merge(seen)
	if err != nil {
		return err
	}
	whole.SampleType = []*profile.ValueType{{Type: "wall", Unit: "nanoseconds"}}
	whole.PeriodType, whole.Period = whole.SampleType[0], int64(wallInterval)
	whole.DurationNanos = int64(wallLength)
	for _, sample := range whole.Sample {
		sample.Value[0] *= int64(wallInterval)
	}
	file, err := create(options, name)
	if err != nil {
		return err
	}
	defer file.Close()
	return whole.Write(file)
}

func labelledGoroutines() (*profile.Profile, error) {
	var snapshot bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&snapshot, 0); err != nil {
		return nil, err
	}
	all, err := profile.Parse(&snapshot)
	if err != nil {
		return nil, err
	}
	labelled := all.Sample[:0]
	for _, sample := range all.Sample {
		if len(sample.Label) > 0 && serves(sample) {
			labelled = append(labelled, sample)
		}
	}
	all.Sample = labelled
	return all, nil
}

// serves tells requests from the goroutines that they started, which inherit their labels.
func serves(sample *profile.Sample) bool {
	for _, location := range sample.Location {
		for _, line := range location.Line {
			if line.Function.Name == "net/http.(*conn).serve" {
				return true
			}
		}
	}
	return false
}
