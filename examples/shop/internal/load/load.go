// Package load keeps a service busy at a steady rate.
package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// Call is a request to make, weighted against the others of its mix.
type Call struct {
	Weight int
	Method string
	Path   func(random *rand.Rand) string
	Body   func(random *rand.Rand) []byte
}

// Generator makes the calls of a mix, in the same order every time.
type Generator struct {
	Base   string
	Rate   int
	Mix    []Call
	Header func(random *rand.Rand) http.Header
}

// inFlightMax bounds the requests under way: when the service is slower than
// the rate, the generator waits instead of piling up.
const inFlightMax = 16

// Run makes Rate calls a second until ctx ends.
func (g *Generator) Run(ctx context.Context) {
	random := rand.New(rand.NewPCG(7, 11))
	// Kept connections would leave goroutines behind, as many as the busiest moment needed.
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	slots := make(chan struct{}, inFlightMax)
	ticks := time.NewTicker(time.Second / time.Duration(g.Rate))
	defer ticks.Stop()
	for number := 1; ; number++ {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		request, err := g.next(ctx, random, number)
		if err != nil {
			continue
		}
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			send(client, request)
		}()
	}
}

func (g *Generator) next(ctx context.Context, random *rand.Rand, number int) (*http.Request, error) {
	call := g.pick(random)
	var body io.Reader
	if call.Body != nil {
		body = bytes.NewReader(call.Body(random))
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, g.Base+call.Path(random), body)
	if err != nil {
		return nil, err
	}
	request.Header = g.Header(random)
	request.Header.Set("X-Request-ID", fmt.Sprintf("req-%06d", number))
	return request, nil
}

func (g *Generator) pick(random *rand.Rand) Call {
	total := 0
	for _, call := range g.Mix {
		total += call.Weight
	}
	at := random.IntN(total)
	for _, call := range g.Mix {
		if at -= call.Weight; at < 0 {
			return call
		}
	}
	return g.Mix[0]
}

func send(client *http.Client, request *http.Request) {
	reply, err := client.Do(request)
	if err != nil {
		return
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
}
