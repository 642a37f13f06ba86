// Command ratelimits lets clients call as often as they have paid for.
package main

import (
	"net/http"
	"strconv"
	"time"

	"example.com/services/internal/host"
	"example.com/services/ratelimits/quota"
)

func limited(by *quota.Registry, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, _ := strconv.Atoi(r.URL.Query().Get("client"))
		if !by.Take(client, time.Now()) {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func main() {
	host.Serve(40, []host.Call{{Path: "/limited?client=%d", Range: 8000}}, func(mux *http.ServeMux) {
		all := quota.New(20)
		for client := range 20_000 {
			all.Take(client, time.Now().Add(-time.Minute))
		}
		mux.Handle("GET /limited", limited(all, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("fine"))
		})))
	})
}
