// Command tenders takes bids for public works and ranks them.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"example.com/services/internal/host"
	"example.com/services/internal/web"
)

func main() {
	host.Serve(40, []host.Call{
		{Method: http.MethodPut, Path: "/tenders/%d/bids", Range: 60},
		{Path: "/tenders/%d/leader", Range: 60},
	}, func(mux *http.ServeMux) {
		sink, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		h := newHall(slog.New(slog.NewJSONHandler(sink, &slog.HandlerOptions{AddSource: true, Level: slog.LevelDebug})))
		mux.HandleFunc("PUT /tenders/{number}/bids", func(w http.ResponseWriter, r *http.Request) {
			h.bid(web.Number(r, "number"))
			w.WriteHeader(http.StatusNoContent)
		})
		mux.Handle("GET /tenders/{number}/leader", web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			return web.Count(w, h.leader(web.Number(r, "number")))
		}))
	})
}
