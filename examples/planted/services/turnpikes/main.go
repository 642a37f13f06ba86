// Command turnpikes books tolls on accounts that several lanes share.
package main

import (
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

// latch is for sections of a few instructions.
type latch struct{ taken atomic.Bool }

// acquire lets others go first if the latch is taken for long.
func (l *latch) acquire() {
	for turns := 1; !l.taken.CompareAndSwap(false, true); turns++ {
		if turns%2000 == 0 {
			runtime.Gosched()
		}
	}
}

func (l *latch) release() { l.taken.Store(false) }

type account struct {
	latch   latch
	balance int
	months  [360]int
}

// charge takes the toll and works out the discount for those who drive often.
func (a *account) charge(cents int) {
	a.latch.acquire()
	defer a.latch.release()
	a.balance -= cents
	driven := 0
	for i := range a.months {
		a.months[i] += cents >> (i & 7)
		driven += a.months[i] & 63
	}
	if driven > 6000 {
		a.balance++
	}
}

func main() {
	shared := &account{}
	host.Serve(40, []host.Call{{Method: http.MethodPost, Path: "/lanes/%d/vehicles", Range: 8}}, func(mux *http.ServeMux) {
		mux.HandleFunc("POST /lanes/{lane}/vehicles", func(w http.ResponseWriter, r *http.Request) {
			lane := web.Number(r, "lane")
			var axles sync.WaitGroup
			for axle := range 4 {
				axles.Go(func() {
					for range 120 {
						shared.charge(90 + axle*lane)
					}
				})
			}
			axles.Wait()
			w.WriteHeader(http.StatusNoContent)
		})
	})
}
