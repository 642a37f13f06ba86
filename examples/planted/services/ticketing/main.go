// Command ticketing sells seats in halls.
package main

import (
	"context"
	"log"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"

	"example.com/services/internal/host"
)

type hall struct {
	mu    sync.Mutex
	sold  [400]bool
	audit *slog.Logger
}

// free finds seats next to each other.
func (h *hall) free(ctx context.Context, count int) (first int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	run := 0
	for seat, isSold := range h.sold {
		if isSold {
			run = 0
			continue
		}
		run++
		if seat%16 == 0 {
			h.audit.InfoContext(ctx, "seat considered", "seat", seat, "row", seat/20, "run", run, "wanted", count)
		}
		if run == count {
			return seat - count + 1
		}
	}
	return -1
}

func main() {
	host.Serve(60, []host.Call{{Path: "/seats/%d", Range: 8}}, func(mux *http.ServeMux) {
		file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			log.Fatal(err)
		}
		h := &hall{audit: slog.New(slog.NewJSONHandler(file, nil)).With("hall", "north")}
		for i := range h.sold {
			h.sold[i] = i%9 == 0
		}
		mux.HandleFunc("GET /seats/{count}", func(w http.ResponseWriter, r *http.Request) {
			count, _ := strconv.Atoi(r.PathValue("count"))
			_, _ = w.Write(strconv.AppendInt(nil, int64(h.free(r.Context(), count+5)), 10))
		})
	})
}
