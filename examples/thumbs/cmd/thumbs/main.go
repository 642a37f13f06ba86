// Command thumbs makes thumbnails of pictures at a steady rate, to be looked at
// in a profiler. See the README for what can be made worse.
package main

import (
	"flag"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"runtime/debug"
	"time"

	"thumbs/internal/notify"
	"thumbs/internal/queue"
	"thumbs/internal/render"
	"thumbs/internal/store"
)

const (
	side       = 256
	smallSide  = 128
	uploads    = 12
	connected  = 300
	everyBatch = 100 * time.Millisecond
	// goneShare of the uploaders hang up before their thumbnail is ready.
	goneShare = 0.01
)

func main() {
	address := flag.String("addr", "127.0.0.1:6070", "address of the profiles")
	seed := flag.Uint64("seed", 1, "seed of the load")
	worse := flag.Bool("worse", false, "sharpen more, keep previews, write a longer journal")
	leak := flag.Bool("leak", false, "leave a goroutine behind for every uploader that hung up")
	noisy := flag.Bool("noisy", false, "upload in bursts, and collect garbage at odd times")
	flag.Parse()
	runtime.MemProfileRate = 64 << 10
	runtime.SetMutexProfileFraction(1)
	s := newService(*worse, *leak)
	s.hub.Connect(connected)
	go s.load(rand.New(rand.NewPCG(*seed, 7)), *noisy)
	log.Fatal(http.ListenAndServe(*address, nil))
}

type service struct {
	cache  *store.Cache
	hub    *notify.Hub
	queue  *queue.Queue
	passes int
}

func newService(worse, leak bool) *service {
	s := &service{cache: store.NewCache(400), hub: &notify.Hub{Leaks: leak}, queue: queue.Start(24, 64), passes: 8}
	s.cache.Journal = 500 * time.Microsecond
	if worse {
		s.passes = 20
		s.cache.Previews = true
		s.cache.Journal = 1500 * time.Microsecond
	}
	return s
}

// load adds batches of uploads until the process ends. The first ones fill the cache.
func (s *service) load(random *rand.Rand, noisy bool) {
	for number := range 400 {
		s.queue.Add(func() { s.handle(uint32(number), false) })
	}
	level := 1.0
	for batch := 0; ; batch++ {
		if noisy && batch%20 == 0 {
			level = 0.5 + random.ExpFloat64()*0.6
		}
		if noisy && random.IntN(40) == 0 {
			debug.FreeOSMemory()
		}
		for range int(float64(uploads)*level + random.Float64()) {
			number, gone := random.Uint32(), random.Float64() < goneShare
			s.queue.Add(func() { s.handle(number, gone) })
		}
		time.Sleep(everyBatch)
	}
}

func (s *service) handle(number uint32, gone bool) {
	thumbnail, ok := s.cache.Get(number)
	if !ok {
		picture := render.Decode(number, side, side)
		thumbnail = render.Sharpen(render.Scale(picture, smallSide, smallSide), s.passes).Pixels
		s.cache.Put(number, thumbnail)
	}
	s.hub.Announce(thumbnail, gone)
}
