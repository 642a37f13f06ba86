// Command shop is a small shop with known hot spots and regressions that can be
// switched on, made to look at in a profiler. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"shop/internal/load"
	"shop/internal/push"
)

func main() {
	options, err := parseOptions()
	if err != nil {
		log.Fatalf("shop: %v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options); err != nil {
		log.Fatalf("shop: %v", err)
	}
}

func run(ctx context.Context, o options) error {
	runtime.MemProfileRate = 32 << 10
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	mux := newRouter(o.service)
	mix, err := services[o.service](mux, o, base)
	if err != nil {
		return err
	}
	mux.diagnostics()
	if o.rate > 0 {
		generator := &load.Generator{Base: base, Rate: o.rate, Mix: mix, Header: visitor}
		go generator.Run(ctx)
	}
	if o.push != "" {
		sender := &push.Sender{Base: o.push, Key: o.key, Service: o.service, Tags: map[string]string{"version": o.version}, Metrics: mux.metrics}
		go sender.Run(ctx)
	}
	log.Printf("%s listens on %s, %d requests/s, regressions: %q, leak: %t", o.service, base, o.rate, o.regress, o.leak)
	server := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

type options struct {
	addr, service, version, push, key string
	rate                              int
	regress                           regressions
	leak                              bool
}

// regressions are the parts that got worse: pricing, cache, lock.
type regressions []string

func (r regressions) has(name string) bool {
	for _, one := range r {
		if one == name || one == "all" {
			return true
		}
	}
	return false
}

func parseOptions() (options, error) {
	var o options
	var regress string
	flag.StringVar(&o.addr, "addr", "127.0.0.1:6060", "listen address")
	flag.StringVar(&o.service, "service", "checkout", "which service to be: checkout, catalog, search, gateway")
	flag.StringVar(&o.version, "version", "v1.8.0", "version tag of pushed profiles")
	flag.IntVar(&o.rate, "rate", 40, "self-made load, requests per second; 0 for none")
	flag.StringVar(&regress, "regress", "", "comma-separated regressions: pricing, cache, lock, or all")
	flag.BoolVar(&o.leak, "leak", false, "leak goroutines (service search)")
	flag.StringVar(&o.push, "push", "", "push profiles to the Flamekeep at this URL")
	flag.StringVar(&o.key, "key", "", "API key for -push")
	flag.Parse()
	if services[o.service] == nil {
		return o, fmt.Errorf("there is no service %q", o.service)
	}
	if o.push != "" && o.key == "" {
		return o, errors.New("-push needs -key")
	}
	for _, name := range strings.FieldsFunc(regress, func(c rune) bool { return c == ',' }) {
		switch name {
		case "pricing", "cache", "lock", "all":
			o.regress = append(o.regress, name)
		default:
			return o, fmt.Errorf("there is no regression %q", name)
		}
	}
	return o, nil
}
