// Command vouchers redeems vouchers at the services that issued them.
package main

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"example.com/services/internal/host"
)

// slowFile is a stream on a network disk.
type slowFile struct{ file *os.File }

func (f slowFile) Write(line []byte) (int, error) {
	time.Sleep(300 * time.Microsecond)
	return f.file.Write(line)
}

type issuer struct {
	client  *http.Client
	address string
	log     *slog.Logger
}

// redeem asks the issuer.
func (s *issuer) redeem(code string) error {
	reply, err := s.client.Post(s.address+"/redeem/"+code, "text/plain", nil)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	return err
}

// note writes down who was there.
func (s *issuer) note(code string, step int) {
	s.log.Info("voucher", "code", code, "step", step)
}

func main() {
	host.Run(host.Service{
		Everyday: 50,
		Calls:    []host.Call{{Weight: 2, Method: http.MethodPost, Path: "/redeem/v%d"}, {Weight: 1, Path: "/check/v%d"}},
		Upstream: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(20 * time.Millisecond) }),
		Routes: func(mux *http.ServeMux, upstream string) {
			transport := &http.Transport{MaxConnsPerHost: 2}
			s := &issuer{client: &http.Client{Transport: transport, Timeout: 20 * time.Second}, address: upstream,
				log: slog.New(slog.NewTextHandler(slowFile{os.Stdout}, nil))}
			mux.HandleFunc("POST /redeem/{code}", func(w http.ResponseWriter, r *http.Request) {
				if err := s.redeem(r.PathValue("code")); err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
				}
			})
			mux.HandleFunc("GET /check/{code}", func(_ http.ResponseWriter, r *http.Request) {
				var group sync.WaitGroup
				for step := range 12 {
					group.Go(func() { s.note(r.PathValue("code"), step) })
				}
				group.Wait()
			})
		},
	})
}
