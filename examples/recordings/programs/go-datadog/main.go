// Kiosk sends its profiles with Datadog's library for Go, as to its agent.
package main

import (
	"context"
	"log"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"github.com/DataDog/dd-trace-go/v2/profiler"
)

var (
	lock   sync.Mutex
	papers [][]byte
	sink   int
)

func main() {
	err := profiler.Start(
		profiler.WithService("kiosk"),
		profiler.WithEnv("test"),
		profiler.WithVersion("1.2.3"),
		profiler.WithTags("region:eu"),
		profiler.WithPeriod(5*time.Second),
		profiler.CPUDuration(5*time.Second),
		profiler.MutexProfileFraction(1),
		profiler.BlockProfileRate(1),
		profiler.WithProfileTypes(
			profiler.CPUProfile, profiler.HeapProfile, profiler.GoroutineProfile,
			profiler.MutexProfile, profiler.BlockProfile,
		),
	)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		go sell()
	}
	select {}
}

func sell() {
	for {
		pprof.Do(context.Background(), pprof.Labels("item", "paper"), func(context.Context) {
			read(20_000)
		})
		lock.Lock()
		if len(papers) < 300 {
			papers = append(papers, make([]byte, 32<<10))
		}
		time.Sleep(time.Millisecond)
		lock.Unlock()
	}
}

func read(words int) {
	for range words {
		sink += strings.Count("extra extra read all about it", "a")
	}
}
