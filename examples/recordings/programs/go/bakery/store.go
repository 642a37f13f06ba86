package main

import (
	"sync"
	"time"
)

type sack struct{ flour []byte }

var pantry []*sack

// startStoring retains eight megabytes in sacks and throws as much away.
func startStoring() {
	for i := 0; i < 128; i++ {
		pantry = append(pantry, fillSack(64<<10))
	}
	go func() {
		for {
			throwAway(16 << 10)
			throwAway(1 << 10)
			time.Sleep(5 * time.Millisecond)
		}
	}()
}

func fillSack(size int) *sack { return &sack{make([]byte, size)} }

//go:noinline
func throwAway(size int) {
	crumbs := make([]byte, size)
	sink += uint64(crumbs[len(crumbs)/2])
}

type counter struct {
	lock sync.Mutex
	sold int
}

// startCounter has four clerks contend for one lock, and two more for a
// channel between them.
func startCounter() {
	till := &counter{}
	for i := 0; i < 4; i++ {
		go func() {
			for {
				till.sell()
				time.Sleep(2 * time.Millisecond)
			}
		}()
	}
	orders := make(chan int)
	go takeOrders(orders)
	go serveOrders(orders)
}

func (c *counter) sell() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.sold++
	time.Sleep(time.Millisecond)
}

func takeOrders(orders chan<- int) {
	for i := 0; ; i++ {
		orders <- i
	}
}

func serveOrders(orders <-chan int) {
	for range orders {
		time.Sleep(3 * time.Millisecond)
	}
}

// standInLine leaves goroutines waiting for a door that stays closed.
func standInLine(people int) {
	door := make(chan struct{})
	var group sync.WaitGroup
	for i := 0; i < people; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			<-door
		}()
	}
	group.Wait()
}
