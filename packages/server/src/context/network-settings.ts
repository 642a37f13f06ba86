import { isAbsolute } from "node:path";
import { z } from "zod";
import { choice, HostNames, url, whole } from "./setting-values.ts";

/** macOS has the smallest limit. */
const socketPathBytesMax = 103;

/** How people, senders and other programs reach the server, and how it reaches them. */
export const network = {
  GRPC_PORT: z
    .string()
    .regex(/^(auto|off|\d{1,5})$/, "must be a port, auto or off")
    .default("auto")
    .meta({
      description: "the same uploads by gRPC and gRPC-Web, without TLS; a port, or `off`",
      shown: "`auto`: 4317 if it is free",
    }),
  UNIX_SOCKET: z
    .string()
    .refine(isAbsolute, "must be an absolute path, such as /run/flamekeep/http.sock")
    .refine(
      (path) => Buffer.byteLength(path) <= socketPathBytesMax,
      `must have at most ${socketPathBytesMax} bytes, the limit of operating systems`,
    )
    .optional()
    .meta({
      description:
        "path of a [socket](proxies.md#unix-socket) on which the server also listens, for a reverse proxy of this machine",
    }),
  ALLOWED_HOSTS: HostNames.default("").meta({
    description:
      "host names of the server besides `localhost`, the machine's own name and the name in `PUBLIC_URL`, separated by commas. Calls that change data are rejected under any other name, except with an API key",
  }),
  METRICS_TOKEN: z.string().min(16, "must be at least 16 characters long").optional().meta({
    description:
      "bearer for `/metrics` and for details in `/readyz`; unset, only this machine sees them. Set it behind a reverse proxy, whose requests look local",
  }),
  ALERT_WEBHOOKS_ALLOW_PRIVATE: choice(["on", "off"], "off").meta({
    description: "`on` allows alert webhooks to addresses inside your network",
  }),
  HSTS_SUBDOMAINS: choice(["on", "off"], "on").meta({
    description:
      "with an `https:` `PUBLIC_URL`, browsers use HTTPS for a year; `off` leaves out the subdomains of its host, for a host whose subdomains still serve HTTP",
  }),
  TRACES_URL: url(["http:", "https:"], "http://otel-collector:4318/v1/traces").meta({
    description:
      "where spans of requests and their queries go, by OTLP over HTTP: the address of a collector or of a store of traces, with `/v1/traces`. Log lines and error replies then have a `trace_id`",
  }),
  TRACES_AUTHORIZATION: z
    .string()
    .optional()
    .meta({ description: "header `Authorization` for `TRACES_URL`, such as `Bearer ...`" }),
  TRACES_PERCENT: whole(1, 100, 100).meta({
    description: "share of requests that are traced; a request with `traceparent` follows its caller",
  }),
  STOP_DELAY_SECONDS: whole(0, 300, 5).meta({
    description:
      "after SIGTERM, `/readyz` answers 503 and the server keeps serving this long, until load balancers have noticed; then it finishes accepted work. Ctrl-C does not wait",
  }),
};
