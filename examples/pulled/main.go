// Command pulled is a service without an SDK: it serves net/http/pprof, and Flamekeep pulls its profiles.
//
// PORT is the port of /debug/pprof. Its load is known: a test compares what arrives with it.
package main

import (
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strings"
)

const (
	entries    = 64
	entryBytes = 1 << 20
	waiters    = 25
)

// ledger is memory that stays in use.
var ledger [entries][]byte

// fillLedger allocates entries of entryBytes each.
//
//go:noinline
func fillLedger() {
	for i := range ledger {
		ledger[i] = make([]byte, entryBytes)
	}
}

// waitForOrders blocks until the program ends.
//
//go:noinline
func waitForOrders(orders <-chan struct{}) {
	<-orders
}

// countWords uses the CPU.
//
//go:noinline
func countWords(text string) int {
	count := 0
	for _, word := range strings.Fields(text) {
		count += len(word)
	}
	return count
}

func work() {
	text := strings.Repeat("profile what runs ", 1000)
	for {
		countWords(text)
	}
}

func main() {
	// Every allocation is sampled, so that the figures are exact.
	runtime.MemProfileRate = 1
	fillLedger()
	runtime.GC()
	orders := make(chan struct{})
	for range waiters {
		go waitForOrders(orders)
	}
	go work()
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serves /debug/pprof at %s", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
