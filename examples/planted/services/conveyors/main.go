// Command conveyors weighs the parcels of a belt.
package main

import (
	"net/http"
	"strconv"
	"sync"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

type parcel struct{ length, width, height int }

func (p parcel) grams() int { return p.length * p.width * p.height / 5 }

// weigh looks at all parcels at once.
func weigh(parcels []parcel) (grams int) {
	weights := make([]int, len(parcels))
	var group sync.WaitGroup
	for i, one := range parcels {
		group.Go(func() { weights[i] = one.grams() })
	}
	group.Wait()
	for _, one := range weights {
		grams += one
	}
	return grams
}

func main() {
	host.Serve(55, []host.Call{{Path: "/belts/%d"}}, func(mux *http.ServeMux) {
		numbers := sample.Numbers(325, 400, 60)
		parcels := make([]parcel, 200)
		for i := range parcels {
			parcels[i] = parcel{numbers[i], numbers[i+100], numbers[i+200]}
		}
		mux.HandleFunc("GET /belts/{number}", func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.PathValue("number"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(weigh(parcels[number%40:])), 10))
		})
	})
}
