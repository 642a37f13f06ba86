// Command bureaus exports what temporary workers earned, for the agencies that sent them.
package main

import (
	"context"
	"io"
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/internal/sample"
	"example.com/services/internal/web"
)

type agency struct {
	name string
	// archives are asked one after another.
	archives int
	workers  []string
}

var agencies = []agency{
	{"north", 1, sample.Words(31, 60)}, {"south", 28, sample.Words(32, 90)}, {"east", 1, sample.Words(33, 40)}, {"west", 2, sample.Words(34, 80)},
}

// fetch waits for one archive of the agency.
func (a *agency) fetch(ctx context.Context) error {
	for range a.archives {
		select {
		case <-time.After(4 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (a *agency) sheet(month int) string {
	sheet := "worker;month;hours\n"
	for i, worker := range a.workers {
		for week := range 4 {
			sheet += worker + ";" + strconv.Itoa(month) + "/" + strconv.Itoa(week) + ";" + strconv.Itoa(30+i%12) + "\n"
		}
	}
	return sheet
}

func (a *agency) export(ctx context.Context, w io.Writer, month int) error {
	if err := a.fetch(ctx); err != nil {
		return err
	}
	_, err := io.WriteString(w, a.sheet(month))
	return err
}

// byAgency labels the work of a request.
func byAgency(serve func(context.Context, http.ResponseWriter, *http.Request, *agency) error) http.Handler {
	return web.Handler(func(w http.ResponseWriter, r *http.Request) (err error) {
		one := &agencies[web.Number(r, "agency")%len(agencies)]
		pprof.Do(r.Context(), pprof.Labels("agency", one.name), func(ctx context.Context) { err = serve(ctx, w, r, one) })
		return err
	})
}

func main() {
	host.Serve(50, []host.Call{{Path: "/agencies/%d/export/11"}}, func(mux *http.ServeMux) {
		mux.Handle("GET /agencies/{agency}/export/{month}", byAgency(func(ctx context.Context, w http.ResponseWriter, r *http.Request, a *agency) error {
			return a.export(ctx, w, web.Number(r, "month"))
		}))
	})
}
