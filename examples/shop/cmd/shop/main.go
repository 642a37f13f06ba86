// Command shop is a small shop with known hot spots and regressions that can be
// switched on, made to look at in a profiler. See README.md.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"shop/internal/load"
	"shop/internal/push"
)

func main() {
	options, err := parseOptions(os.Args[1:])
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
		tags := map[string]string{"version": o.version, "instance": instance(listener.Addr())}
		sender := &push.Sender{Base: o.push, Key: o.key, Service: o.service, Tags: tags, Metrics: mux.metrics}
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

// instance names this process among those of the service, and stays the same when it starts again.
func instance(addr net.Addr) string {
	host, err := os.Hostname()
	_, port, splitErr := net.SplitHostPort(addr.String())
	if err != nil || splitErr != nil {
		return addr.String()
	}
	return net.JoinHostPort(host, port)
}
