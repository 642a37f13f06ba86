package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	window = 10 * time.Second
	// warmUp is long enough for caches to be full and for the load to be steady.
	warmUp = 8 * time.Second
	// settle is how long the work of ending the windows may disturb the service.
	settle = 500 * time.Millisecond
)

// source is where a type comes from: a page of the shop, over a window or as a
// snapshot at its end.
type source struct {
	kind     string
	page     string
	windowed bool
	delta    bool
	only     string
}

var sources = []source{
	{kind: "cpu", page: "/debug/pprof/profile?seconds=%d", windowed: true},
	{kind: "mutex", page: "/debug/pprof/mutex?seconds=%d", windowed: true, delta: true},
	{kind: "block", page: "/debug/pprof/block?seconds=%d", windowed: true, delta: true},
	{kind: "goroutine", page: "/debug/pprof/goroutine"},
	{kind: "custom", page: "/debug/pprof/shop/open_carts", only: "checkout"},
	// Last of the profiles: its collection holds requests up.
	{kind: "memory", page: "/debug/pprof/heap?gc=1"},
	{kind: "metrics", page: "/debug/http-metrics"},
}

func recordRun(ctx context.Context, out, binary string, one run, windows int) (Recording, error) {
	recording := Recording{
		Service: one.Service, Variant: one.Variant, Rate: one.Rate, Flags: append([]string{}, one.Flags...),
		Tags: map[string]string{"version": one.Version, "region": "eu-central"},
	}
	address, err := freeAddress()
	if err != nil {
		return recording, err
	}
	arguments := append([]string{"-addr", address, "-service", one.Service, "-rate", fmt.Sprint(one.Rate)}, one.Flags...)
	command := exec.CommandContext(ctx, binary, arguments...)
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return recording, err
	}
	defer func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}()
	c := &capture{base: "http://" + address, binary: binary, out: out, folder: filepath.Join(one.Service, one.Variant), started: time.Now()}
	time.Sleep(warmUp)
	if _, err := c.get("/debug/http-metrics"); err != nil {
		return recording, err
	}
	for number := 1; number <= windows; number++ {
		files, err := c.window(one.Service, number)
		if err != nil {
			return recording, err
		}
		recording.Files = append(recording.Files, files...)
	}
	return recording, nil
}

// capture stores the pages of one running process.
type capture struct {
	base, binary, out, folder string
	started                   time.Time
}

// window takes the windowed sources side by side, then the snapshots.
func (c *capture) window(service string, number int) ([]File, error) {
	files := make([]File, len(sources))
	failures := make([]error, len(sources))
	opened := time.Now()
	var group sync.WaitGroup
	for i, from := range sources {
		if from.windowed {
			group.Add(1)
			go func() {
				defer group.Done()
				files[i], failures[i] = c.take(from, number, opened)
			}()
		}
	}
	group.Wait()
	time.Sleep(settle)
	for i, from := range sources {
		if !from.windowed && (from.only == "" || from.only == service) {
			files[i], failures[i] = c.take(from, number, opened)
		}
	}
	var taken []File
	for i, file := range files {
		if failures[i] != nil {
			return nil, failures[i]
		}
		if file.Path != "" {
			taken = append(taken, file)
		}
	}
	return taken, nil
}

func (c *capture) take(from source, number int, opened time.Time) (File, error) {
	at := time.Now()
	page, duration := from.page, time.Duration(0)
	if from.windowed {
		page, duration = fmt.Sprintf(from.page, int(window/time.Second)), window
	}
	body, err := c.get(page)
	if err != nil {
		return File{}, err
	}
	name := fmt.Sprintf("%s-%02d.pb.gz", from.kind, number)
	if from.kind == "metrics" {
		name = fmt.Sprintf("http-%02d.ndjson.gz", number)
		at, duration = opened, time.Since(opened)
		body, err = compress(body)
	} else {
		body, err = withoutPaths(body, c.binary)
	}
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	path := filepath.Join(c.folder, name)
	if err := store(filepath.Join(c.out, path), body); err != nil {
		return File{}, err
	}
	return File{
		Path: filepath.ToSlash(path), Type: from.kind, Window: number, Delta: from.delta, Bytes: len(body),
		StartedSeconds: round(at.Sub(c.started)), DurationSeconds: round(duration),
	}, nil
}

func round(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

func (c *capture) get(page string) ([]byte, error) {
	client := &http.Client{Timeout: window + 20*time.Second}
	reply, err := client.Get(c.base + page)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	return readOK(page, reply)
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
