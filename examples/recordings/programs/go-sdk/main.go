// Kiosk sends its profiles with Pyroscope's SDK for Go, which subtracts heap,
// mutex and block profiles with godeltaprof.
package main

import (
	"context"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/grafana/pyroscope-go"
)

var (
	lock   sync.Mutex
	papers [][]byte
	sink   int
)

func main() {
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	_, err := pyroscope.Start(pyroscope.Config{
		ApplicationName: "kiosk", ServerAddress: os.Getenv("ADDRESS"), UploadRate: 5 * time.Second,
		Tags: map[string]string{"region": "eu", "version": "1.2.3"},
		ProfileTypes: []pyroscope.ProfileType{
			pyroscope.ProfileCPU, pyroscope.ProfileAllocObjects, pyroscope.ProfileAllocSpace,
			pyroscope.ProfileInuseObjects, pyroscope.ProfileInuseSpace, pyroscope.ProfileGoroutines,
			pyroscope.ProfileMutexCount, pyroscope.ProfileMutexDuration,
			pyroscope.ProfileBlockCount, pyroscope.ProfileBlockDuration,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < 3; i++ {
		go sell()
	}
	select {}
}

func sell() {
	for {
		pyroscope.TagWrapper(context.Background(), pyroscope.Labels("item", "paper"), func(context.Context) {
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
	for i := 0; i < words; i++ {
		sink += strings.Count("extra extra read all about it", "a")
	}
}
