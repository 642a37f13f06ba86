// Command record builds thumbs, runs all processes of the recorded set at the
// same time, and stores their profiles. Run it in the folder of this module; it
// takes about three minutes:
//
//	go run ./cmd/record
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	out           = "recorded"
	windowSeconds = 5
	// warmUp is long enough for the cache to be full.
	warmUp = 6 * time.Second
)

// run is one process.
type run struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Flags   []string `json:"flags"`
	Windows int      `json:"windows"`
}

var runs = []run{
	{Name: "steady-1", Version: "v2.6.0", Flags: []string{"-seed=1"}, Windows: 12},
	{Name: "steady-2", Version: "v2.6.0", Flags: []string{"-seed=2"}, Windows: 12},
	{Name: "steady-3", Version: "v2.6.0", Flags: []string{"-seed=3"}, Windows: 12},
	{Name: "release-1", Version: "v2.7.0", Flags: []string{"-seed=4", "-worse"}, Windows: 12},
	{Name: "release-2", Version: "v2.7.0", Flags: []string{"-seed=5", "-worse"}, Windows: 12},
	{Name: "leak", Version: "v2.6.0", Flags: []string{"-seed=6", "-leak"}, Windows: 30},
	{Name: "noise", Version: "v2.6.0", Flags: []string{"-seed=7", "-noisy"}, Windows: 20},
}

// pages in the order in which a window takes them; heap last, because its
// collection holds the workers up.
var pages = []struct{ kind, page string }{
	{"cpu", fmt.Sprintf("profile?seconds=%d", windowSeconds)},
	{"mutex", fmt.Sprintf("mutex?seconds=%d", windowSeconds)},
	{"goroutine", "goroutine"},
	{"memory", "heap?gc=1"},
}

func main() {
	work, err := os.MkdirTemp("", "thumbs-record-")
	check(err)
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "thumbs")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "./cmd/thumbs")
	build.Stderr = os.Stderr
	check(build.Run())
	check(os.RemoveAll(out))
	var all sync.WaitGroup
	for _, one := range runs {
		all.Go(func() { record(binary, one) })
	}
	all.Wait()
	text, err := json.MarshalIndent(map[string]any{"window_seconds": windowSeconds, "runs": runs}, "", " ")
	check(err)
	check(os.WriteFile(filepath.Join(out, "manifest.json"), append(text, '\n'), 0o644))
}

func record(binary string, one run) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	address := listener.Addr().String()
	check(listener.Close())
	process := exec.Command(binary, append([]string{"-addr=" + address}, one.Flags...)...)
	process.Env = append(os.Environ(), "GOMAXPROCS=2")
	process.Stderr = os.Stderr
	check(process.Start())
	defer func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}()
	time.Sleep(warmUp)
	check(os.MkdirAll(filepath.Join(out, one.Name), 0o755))
	for window := range one.Windows {
		var during sync.WaitGroup
		for _, page := range pages[:2] {
			during.Go(func() { take(address, binary, one.Name, page.kind, page.page, window) })
		}
		during.Wait()
		for _, page := range pages[2:] {
			take(address, binary, one.Name, page.kind, page.page, window)
		}
	}
}

func take(address, binary, name, kind, page string, window int) {
	reply, err := http.Get("http://" + address + "/debug/pprof/" + page)
	check(err)
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	check(err)
	if reply.StatusCode != http.StatusOK {
		log.Fatalf("%s answered %s: %s", page, reply.Status, body)
	}
	path := filepath.Join(out, name, fmt.Sprintf("%s-%02d.pb.gz", kind, window+1))
	check(os.WriteFile(path, withoutPath(body, binary), 0o644))
}

// withoutPath writes the name of the folder that the binary was built in as x's,
// which keeps all lengths, and compresses again.
func withoutPath(zipped []byte, binary string) []byte {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	check(err)
	raw, err := io.ReadAll(r)
	check(err)
	hidden := append(bytes.Repeat([]byte("x"), len(binary)-len("/thumbs")), "/thumbs"...)
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	check(err)
	_, err = w.Write(bytes.ReplaceAll(raw, []byte(binary), hidden))
	check(err)
	check(w.Close())
	return out.Bytes()
}

func check(err error) {
	if err != nil {
		log.Fatalf("record: %v", err)
	}
}
