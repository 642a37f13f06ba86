// Command raffles draws winners, and prints the list of prizes.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"net/http"
	"strconv"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
)

// number is drawn without favour.
func number(limit uint32) uint32 {
	var bytes [4]byte
	_, _ = rand.Read(bytes[:])
	return binary.LittleEndian.Uint32(bytes[:]) % limit
}

// draw counts how often each prize is drawn.
func draw(prizes []string, tickets int) []int {
	drawn := make([]int, len(prizes))
	for range tickets {
		drawn[number(uint32(len(prizes)))]++
	}
	return drawn
}

type shop struct {
	prizes []string
	cents  map[string]int
}

// list has the prizes with their price.
func (s *shop) list() string {
	text := ""
	for _, prize := range s.prizes {
		text += prize + " " + strconv.Itoa(s.cents[prize]) + "\n"
	}
	return text
}

func main() {
	host.Serve(50, []host.Call{{Weight: 1, Method: http.MethodPost, Path: "/raffles/%d/draw"}, {Weight: 2, Path: "/prizes"}}, func(mux *http.ServeMux) {
		s := &shop{prizes: sample.Keys("prize", 420), cents: map[string]int{}}
		mux.HandleFunc("POST /raffles/{number}/draw", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(strconv.AppendInt(nil, int64(len(draw(s.prizes, 9000))), 10))
		})
		mux.HandleFunc("GET /prizes", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(s.list()[:900]))
		})
	})
}
