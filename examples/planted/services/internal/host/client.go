package host

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/services/internal/everyday"
)

const (
	// inFlightMax bounds the requests under way.
	inFlightMax    = 400
	pacers         = 4
	requestTimeout = 30 * time.Second
)

// runClient answers as the upstream and loads the service until its input ends.
func runClient(service Service) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	upstream := service.Upstream
	if upstream == nil {
		upstream = http.NotFoundHandler()
	}
	scheme := "http"
	if service.UpstreamTLS {
		scheme = "https"
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{Certificate()}})
	}
	go http.Serve(listener, upstream)
	fmt.Printf("%s://%s\n", scheme, listener.Addr())
	var web, other string
	var rate int
	if _, err := fmt.Scan(&web, &other, &rate); err != nil {
		log.Fatal(err)
	}
	slots := make(chan struct{}, inFlightMax)
	for number := range pacers {
		go pace(float64(rate)/pacers, number, slots, func(random *rand.Rand) { request(service, "http://"+web, random) })
	}
	if service.Dial != nil {
		go pace(float64(rate), pacers, slots, func(*rand.Rand) { _ = service.Dial(other) })
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// pace calls at a rate, with the gaps of independent users.
func pace(rate float64, number int, slots chan struct{}, call func(random *rand.Rand)) {
	gaps := rand.New(rand.NewPCG(uint64(number), 5))
	next := time.Now()
	for turn := uint64(0); ; turn++ {
		next = next.Add(time.Duration(gaps.ExpFloat64() / rate * float64(time.Second)))
		time.Sleep(time.Until(next))
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			call(rand.New(rand.NewPCG(uint64(number), turn)))
		}()
	}
}

var web = &http.Client{
	Timeout:   requestTimeout,
	Transport: &http.Transport{MaxIdleConnsPerHost: 24, DisableCompression: true},
}

func request(service Service, base string, random *rand.Rand) {
	call := Call{Method: http.MethodGet, Path: everyday.Path(random)}
	if len(service.Calls) > 0 && random.IntN(100) >= service.Everyday {
		call = pick(service.Calls, random)
	}
	number := random.IntN(max(call.Range, 1))
	if call.Range == 0 {
		number = random.IntN(10_000)
	}
	path := call.Path
	if strings.Contains(path, "%d") {
		path = fmt.Sprintf(path, number)
	}
	var body io.Reader
	if call.Body != nil {
		body = bytes.NewReader(call.Body(number))
	}
	method := call.Method
	if method == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequest(method, base+path, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	reply, err := web.Do(request)
	if err != nil {
		return
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	if reply.StatusCode == http.StatusNotFound {
		log.Fatalf("%s is not served", path)
	}
}

func pick(calls []Call, random *rand.Rand) Call {
	total := 0
	for _, call := range calls {
		total += max(call.Weight, 1)
	}
	at := random.IntN(total)
	for _, call := range calls {
		if at -= max(call.Weight, 1); at < 0 {
			return call
		}
	}
	return calls[0]
}
