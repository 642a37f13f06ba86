import type { Socket } from "node:net";
import { type FailureCode, failureStatus } from "@flamekeep/contract";
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { damaged, diskFull, Failure, headersOf, unavailable } from "#failure";
import { isDiskFull } from "#store/disk-space.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import {
  QueryTooExpensive,
  StoreDamaged,
  StoreLocked,
  StoreNotResponding,
  StoreOutOfMemory,
  StoreUnavailable,
} from "#store/unavailable.ts";
import { traceField } from "#telemetry/trace-context.ts";

const internalError = "Something went wrong on the server. Its log has the cause, under this request id.";

const unknownAddress: [FailureCode, string] = [
  "not_found",
  "There is nothing at this address. All calls are listed at /docs/api.",
];
const frameworkFailures: Readonly<Record<string, [FailureCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported",
    "This Content-Type is not accepted here. Send JSON with Content-Type: application/json, and profiles with application/octet-stream.",
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: [
    "invalid",
    "The body is not JSON that can be read. Send a JSON object without keys named __proto__ or constructor.",
  ],
  FST_ERR_BAD_URL: [
    "invalid",
    "The address cannot be read. Each % in it must be followed by the two digits of a UTF-8 byte; write a % itself as %25.",
  ],
  FST_ERR_MAX_PARAM_LENGTH: unknownAddress,
  FST_STATIC_FORBIDDEN_PATH: unknownAddress,
};

declare module "fastify" {
  interface FastifyReply {
    /** The code of an error reply; undefined for other replies. */
    failureCode: FailureCode | undefined;
  }
}

/** Answers every error as `{ error, code, request_id }`; only unexpected errors are logged with their stack. */
export function answerErrors(app: FastifyInstance): void {
  app.decorateReply("failureCode", undefined);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = toFailure(error, request);
    if (failure.code === "internal")
      request.log.error({ err: error, ...traceField(request.trace) }, "request failed");
    else if (isLoggedByStore(failure.cause)) request.log.debug({ err: failure.cause }, failure.message);
    else if (failure.cause !== undefined) request.log.warn({ err: failure.cause }, failure.message);
    return sendFailure(failure, request, reply.headers(headersOf(error)));
  });
}

/** The store logs these faults itself, once for all requests that fail because of them. */
function isLoggedByStore(cause: unknown): boolean {
  return cause instanceof StoreNotResponding || cause instanceof StoreDamaged;
}

/** Bounds messages, because some repeat a part of the request. */
const messageLengthMax = 1000;

function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (failure.retryAfterSeconds !== undefined)
    reply.header("retry-after", Math.ceil(failure.retryAfterSeconds));
  if (failure.code === "unauthenticated") reply.header("www-authenticate", 'Bearer realm="flamekeep"');
  reply.header("cache-control", "no-store");
  reply.failureCode = failure.code;
  return reply
    .code(failure.status)
    .type("application/json; charset=utf-8")
    .send({
      error: failure.code === "internal" ? internalError : failure.message.slice(0, messageLengthMax),
      code: failure.code,
      request_id: request.id,
      ...traceField(request.trace),
    });
}

/** For `frameworkErrors`: answers addresses that the router refuses before any handler runs. */
export function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void sendFailure(toFailure(error, request), request, reply);
}

/** The failure that answers an error. */
export function toFailure(error: FastifyError | Failure, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (error instanceof StoreDamaged) {
    return damaged(
      "Stored data that this call needs is damaged. The server's log names the part. Contact the operator of this server.",
      error,
    );
  }
  if (error instanceof StoreNotResponding) {
    return unavailable("The store does not respond. Try again in a moment.", error, 5);
  }
  if (error instanceof StoreOutOfMemory) {
    const message =
      "Running queries use all memory of the store. Try again in a moment, or choose a shorter range.";
    return unavailable(message, error, 5);
  }
  if (error instanceof StoreLocked) {
    const message =
      "Another program locks the database of accounts and settings. Try again in a moment; the operator should end that program's transaction.";
    return unavailable(message, error, 5);
  }
  if (storageFaultOf(error) === "unusable") {
    const message =
      "The server cannot read or write its data folder: the file system is read-only or its disk reports errors. Try again later; the operator should check the disk.";
    return unavailable(message, error, 5);
  }
  if (error instanceof StoreUnavailable) {
    return new Failure("unavailable", "The store is restarting or unreachable. Try again in a moment.", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  if (error instanceof QueryTooExpensive) {
    const message =
      "This call exceeds the time or memory limit of a query. Choose a shorter range, or filter it by a service or tag.";
    return new Failure("unprocessable", message, { cause: error });
  }
  return fromFramework(error, request);
}

function fromFramework(error: FastifyError, request: FastifyRequest): Failure {
  const failure = frameworkFailures[error.code];
  if (failure !== undefined) return new Failure(...failure);
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    const { bodyLimit } = request.routeOptions;
    return new Failure(
      "too_large",
      `The body is larger than the ${bodyLimit} bytes this call accepts. Send less.`,
    );
  }
  const status = error.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    return new Failure(codeOf(status), error.message);
  }
  return new Failure("internal", error.message, { cause: error });
}

function codeOf(status: number): FailureCode {
  const entry = Object.entries(failureStatus).find(([, value]) => value === status);
  return (entry?.[0] as FailureCode | undefined) ?? "invalid";
}

const reasons: Readonly<Record<string, readonly [FailureCode, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    "headers_too_large",
    "Request Header Fields Too Large",
    "The headers are larger than 16 KiB.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["invalid", "Request Timeout", "The request did not arrive in time."],
};

/**
 * The reply to a client that begins with HTTP/2, as clients of gRPC do: an empty SETTINGS frame, and a GOAWAY frame (RFC 9113,
 * 6.8) whose text they log. An answer in HTTP/1.1 would be logged as a broken frame.
 */
const http2Refusal = Buffer.concat([
  http2Frame(0x4, Buffer.alloc(0)),
  http2Frame(
    0x7,
    Buffer.concat([
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0x0d]), // last stream: none; HTTP_1_1_REQUIRED
      Buffer.from(
        "This port serves HTTP/1.1 only. gRPC uses the port GRPC_PORT of this server, 4317 by default.",
      ),
    ]),
  ),
]);

function http2Frame(type: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0]), payload]);
}

/** Answers bytes that are not an HTTP request in the form of every error, then closes the connection. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_PAUSED_H2_UPGRADE") {
    socket.end(http2Refusal);
    return;
  }
  const [code, reason, text] = reasons[error.code] ?? [
    "invalid",
    "Bad Request",
    "This is not a readable HTTP request.",
  ];
  const body = JSON.stringify({ error: text, code, request_id: "" });
  const head = [
    `HTTP/1.1 ${error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : failureStatus[code]} ${reason}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
