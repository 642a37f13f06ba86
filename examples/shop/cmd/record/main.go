// Command record builds the shop, runs it once for every service and variant,
// and stores what its profilers say, with an index and the truth beside. Run it
// in the folder of this module; it takes about eleven minutes:
//
//	go run ./cmd/record
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// run is one process to record.
type run struct {
	Service string
	Variant string
	Version string
	Rate    int
	Flags   []string
}

// runs are recorded in this order. "after" exists where a release made things
// worse: one service each for CPU, memory and goroutines.
var runs = []run{
	{Service: "checkout", Variant: "before", Version: "v1.8.0", Rate: 40},
	{Service: "checkout", Variant: "after", Version: "v1.9.0", Rate: 40, Flags: []string{"-regress", "pricing"}},
	{Service: "catalog", Variant: "before", Version: "v2.3.1", Rate: 60},
	{Service: "catalog", Variant: "after", Version: "v2.4.0", Rate: 60, Flags: []string{"-regress", "cache"}},
	{Service: "search", Variant: "before", Version: "v0.14.2", Rate: 40},
	{Service: "search", Variant: "after", Version: "v0.15.0", Rate: 40, Flags: []string{"-leak"}},
	{Service: "gateway", Variant: "before", Version: "v3.0.4", Rate: 30},
}

func main() {
	out := flag.String("out", "recorded", "folder to write")
	only := flag.String("only", "", "record this service alone and keep the others as they are")
	windows := flag.Int("windows", 8, "windows of each run")
	truthOnly := flag.Bool("truth", false, "only write the truth tables of what is recorded")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !*truthOnly {
		if err := record(ctx, *out, *only, *windows); err != nil {
			log.Fatalf("record: %v", err)
		}
	}
	if err := writeTruth(*out); err != nil {
		log.Fatalf("record: %v", err)
	}
}

func record(ctx context.Context, out, only string, windows int) error {
	work, err := os.MkdirTemp("", "shop-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "shop")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "./cmd/shop")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	manifest := Manifest{WindowSeconds: int(window / time.Second)}
	for _, one := range runs {
		if only != "" && one.Service != only {
			kept, err := recorded(out, one)
			if err != nil {
				return err
			}
			manifest.Recordings = append(manifest.Recordings, kept)
			continue
		}
		log.Printf("%s %s", one.Service, one.Variant)
		// What an earlier recording left would stand beside the new files.
		if err := os.RemoveAll(filepath.Join(out, one.Service, one.Variant)); err != nil {
			return err
		}
		recording, err := recordRun(ctx, out, binary, one, windows)
		if err != nil {
			return fmt.Errorf("%s %s: %w", one.Service, one.Variant, err)
		}
		manifest.Recordings = append(manifest.Recordings, recording)
	}
	return manifest.write(out)
}

// recorded finds a run in the manifest that is there already.
func recorded(out string, one run) (Recording, error) {
	manifest, err := readManifest(out)
	if err != nil {
		return Recording{}, err
	}
	for _, recording := range manifest.Recordings {
		if recording.Service == one.Service && recording.Variant == one.Variant {
			return recording, nil
		}
	}
	return Recording{}, fmt.Errorf("%s %s was never recorded", one.Service, one.Variant)
}
