// Library keeps two CPUs busy with large and varied stacks: it parses and
// type-checks packages of Go's standard library, prints and compresses them,
// renders templates and encodes JSON, as a busy service does. It serves its
// profiles on /debug/pprof/.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	address := flag.String("addr", "127.0.0.1:6061", "address to serve the profiles on")
	root := flag.String("goroot", os.Getenv("GOROOT"), "where Go's sources are")
	flag.Parse()

	shelves, err := readShelves(filepath.Join(*root, "src"))
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < runtime.GOMAXPROCS(0); i++ {
		reader := &reader{shelves: shelves, next: i * 3}
		go reader.work()
	}
	log.Fatal(http.ListenAndServe(*address, nil))
}
