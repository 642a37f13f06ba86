// A small shop that sends profiles with pyroscope-go, and HTTP metrics. run.sh starts it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/grafana/pyroscope-go"
)

var server, key = os.Getenv("FLAMEKEEP_URL"), os.Getenv("FLAMEKEEP_KEY")
var requests = make(chan map[string]any, 10_000)

//go:noinline
func hashPrices(count uint64) (total uint64) {
	for price := range count {
		total = total*31 + price
	}
	return
}

func order(w http.ResponseWriter, _ *http.Request) {
	begin := time.Now()
	fmt.Fprintln(w, hashPrices(5_000_000))
	requests <- map[string]any{"timestamp": begin.UnixMilli(), "duration": time.Since(begin).Seconds(),
		"status_code": 200, "method": "GET", "path": "/orders/{id}"}
}

func sendRequests() {
	for range time.Tick(5 * time.Second) {
		var batch []any
		for len(requests) > 0 {
			batch = append(batch, <-requests)
		}
		body, _ := json.Marshal(batch)
		request, _ := http.NewRequest("POST", server+"/api/v1/ingest/http-metrics?service=checkout-go", bytes.NewReader(body))
		request.Header = http.Header{"X-Api-Key": {key}, "Content-Type": {"application/json"}}
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Print(err)
			continue
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			log.Print("metrics were refused: ", reply.Status)
		}
	}
}

func main() {
	host, _ := os.Hostname()
	_, err := pyroscope.Start(pyroscope.Config{ApplicationName: "checkout-go", ServerAddress: server,
		HTTPHeaders: map[string]string{"X-API-Key": key},
		Tags:        map[string]string{"region": "eu", "version": "1.0.0", "instance": host}})
	if err != nil {
		log.Fatal(err)
	}
	go sendRequests()
	http.HandleFunc("GET /orders/{id}", order)
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
