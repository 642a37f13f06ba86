import { hourMs } from "@flamekeep/contract/durations";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TracesConfig } from "#config";
import type { Context } from "#context";
import type { RequestTrace } from "#telemetry/trace-context.ts";

/** Probes, scrapes, and the address at which a server may get its own spans. */
const untraced: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics", "/v1/traces"]);
/** A stop waits this long for the last spans. */
const sendMsMax = 2000;
const propagator = new W3CTraceContextPropagator();
const headerOf = {
  keys: (headers: object) => Object.keys(headers),
  get: (headers: FastifyRequest["headers"], name: string) => headers[name],
};

/**
 * Sends a span of each request and of its queries to a collector, by OTLP over HTTP, in batches. A request that has a
 * `traceparent` continues its trace. Names of spans are routes and names of queries: no span has an address, a parameter or a value.
 */
export function traceRequests(app: FastifyInstance, { version, log }: Context, config: TracesConfig): void {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "flamekeep", "service.version": version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: exporterTo(config, log) })],
  });
  const tracer = provider.getTracer("flamekeep");
  app.addHook("onRequest", (request, _reply, done) => {
    if (!untraced.has(request.routeOptions.url ?? "")) begin(tracer, request);
    done();
  });
  app.addHook("onResponse", async ({ trace: traced }, { statusCode }) =>
    (traced as OpenTrace | null)?.end(statusCode),
  );
  app.addHook("onRequestAbort", async ({ trace: traced }) => (traced as OpenTrace | null)?.end(undefined));
  app.addHook("onClose", async () => {
    await provider.shutdown().catch((err: unknown) => log.warn({ err }, "the last spans were not sent"));
  });
}

interface OpenTrace extends RequestTrace {
  /** @param status undefined if the client left */
  readonly end: (status: number | undefined) => void;
}

function begin(tracer: Tracer, request: FastifyRequest): void {
  const { method, headers } = request;
  const route = request.routeOptions.url ?? "none";
  const parent = propagator.extract(ROOT_CONTEXT, headers, headerOf);
  const attributes = { "http.request.method": method, "http.route": route };
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  const within = trace.setSpan(ROOT_CONTEXT, span);
  const traced: OpenTrace = {
    traceId: span.spanContext().traceId,
    addPart(name, startMs, hasFailed) {
      const part = tracer.startSpan(name, { startTime: performance.timeOrigin + startMs }, within);
      if (hasFailed) part.setStatus({ code: SpanStatusCode.ERROR });
      part.end();
    },
    end(status) {
      if (status !== undefined) span.setAttribute("http.response.status_code", status);
      if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
  request.trace = traced;
}

/** Sends spans. A collector that is away fails every few seconds: one warning an hour says so. */
function exporterTo({ url, authorization }: TracesConfig, log: Context["log"]): SpanExporter {
  const headers = authorization === undefined ? {} : { authorization };
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: sendMsMax });
  let quietUntilMs = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS && Date.now() >= quietUntilMs) {
          quietUntilMs = Date.now() + hourMs;
          log.warn({ reason: result.error?.message }, "spans cannot be sent to TRACES_URL and are dropped");
        }
        // The span processor would print the failure itself.
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
  };
}
