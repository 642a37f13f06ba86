// Bakery is a small program with a little of everything that profilers of Go
// record: labels, inlined and generic functions, recursion, C code, retained and
// short-lived memory, contended locks, waiting goroutines and a profile of its
// own. It serves its profiles on /debug/pprof/.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"runtime/pprof"
)

func main() {
	address := flag.String("addr", "127.0.0.1:6061", "address to serve the profiles on")
	depth := flag.Int("depth", 12, "calls of the recursive function")
	flag.Parse()

	runtime.MemProfileRate = 4 << 10
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)

	ovens := pprof.NewProfile("bakery/open_ovens")
	for i := 0; i < 7; i++ {
		openOven(ovens, i)
	}
	startBaking(*depth)
	startStoring()
	startCounter()
	go standInLine(40)
	log.Fatal(http.ListenAndServe(*address, nil))
}

type oven struct{ number int }

func openOven(ovens *pprof.Profile, number int) {
	ovens.Add(&oven{number}, 1)
}
