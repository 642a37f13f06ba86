// Florist asks two suppliers for each price and takes the first answer. The
// goroutine of the other supplier waits for ever to send its own: a leak, which
// Go 1.26 finds if it is built with GOEXPERIMENT=goroutineleakprofile. The
// goroutines that wait for orders can still be woken, and are no leak. It
// serves its profiles on /debug/pprof/.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

func main() {
	address := flag.String("addr", "127.0.0.1:6061", "address to serve the profiles on")
	prices := flag.Int("prices", 12, "prices to ask for; each leaks a goroutine")
	flag.Parse()

	orders := make(chan string)
	for i := 0; i < 3; i++ {
		go arrange(orders)
	}
	for i := 0; i < *prices; i++ {
		log.Printf("price %d", firstPrice())
	}
	log.Print(http.ListenAndServe(*address, nil))
	close(orders)
}

// firstPrice needs a buffer of one answer for each supplier.
func firstPrice() int {
	answers := make(chan int)
	for supplier := 1; supplier <= 2; supplier++ {
		go askSupplier(supplier, answers)
	}
	return <-answers
}

func askSupplier(supplier int, answers chan<- int) {
	time.Sleep(time.Duration(supplier) * 20 * time.Millisecond)
	answers <- 10 * supplier
}

// arrange waits for orders that can still come.
func arrange(orders <-chan string) {
	for order := range orders {
		log.Printf("arranged %s", order)
	}
}
