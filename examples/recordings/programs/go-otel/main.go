// A kiosk whose handlers are instrumented with OpenTelemetry, and which calls itself some times.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	otel.SetTracerProvider(provider)

	routes := http.NewServeMux()
	// Inside the routes, so that spans have the route.
	routes.Handle("GET /papers/{name}", otelhttp.NewHandler(http.HandlerFunc(paper), "paper"))
	server := httptest.NewServer(routes)
	for _, path := range []string{"/papers/morning", "/papers/evening?copies=2", "/papers/none"} {
		reply, err := http.Get(server.URL + path)
		if err != nil {
			log.Fatal(err)
		}
		io.Copy(io.Discard, reply.Body)
		reply.Body.Close()
	}
	server.Close()
	if err := provider.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
}

func paper(w http.ResponseWriter, r *http.Request) {
	_, span := otel.Tracer("kiosk").Start(r.Context(), "find")
	defer span.End()
	if r.PathValue("name") == "none" {
		http.Error(w, "sold out", http.StatusNotFound)
		return
	}
	fmt.Fprintln(w, r.PathValue("name"))
}
