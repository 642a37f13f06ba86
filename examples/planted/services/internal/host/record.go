package host

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"
)

type options struct {
	rate, seconds  int
	out            string
	types, earlier []string
}

// warmUp is long enough for connections to be open and for the load to be steady.
const warmUp = 1500 * time.Millisecond

func enableProfilers(types []string) {
	if slices.Contains(types, "mutex") {
		runtime.SetMutexProfileFraction(5)
	}
	if slices.Contains(types, "block") {
		runtime.SetBlockProfileRate(int(10 * time.Microsecond))
	}
}

func record(options options) error {
	time.Sleep(warmUp)
	for _, name := range options.earlier {
		if err := store(options, name, name+"-earlier"); err != nil {
			return err
		}
	}
	file, err := create(options, "cpu")
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	time.Sleep(time.Duration(options.seconds) * time.Second)
	pprof.StopCPUProfile()
	for _, name := range options.types {
		if name == "cpu" {
			continue
		}
		if err := store(options, name, name); err != nil {
			return err
		}
	}
	return nil
}

func store(options options, profile, name string) error {
	if profile == "wall" {
		return storeWall(options, name)
	}
	if profile == "heap" {
		runtime.GC()
	}
	file, err := create(options, name)
	if err != nil {
		return err
	}
	defer file.Close()
	return pprof.Lookup(profile).WriteTo(file, 0)
}

func create(options options, name string) (*os.File, error) {
	return os.Create(filepath.Join(options.out, name+".pb.gz"))
}
