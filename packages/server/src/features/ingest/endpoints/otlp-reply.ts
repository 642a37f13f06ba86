import { connectErrors, type FailureCode, grpcStatus } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Failure } from "#failure";
import { FileReply } from "#http/reply/reply.ts";
import type { Rejected } from "#ingest/rows/encoded.ts";

const json = "application/json";
const protobuf = ["application/x-protobuf", "application/protobuf"];
const compressions = ["gzip", "zstd", "identity"];

export function isJsonRequest(contentType = ""): boolean {
  return mediaTypeOf(contentType) === json;
}

function isOtlpRequest({ headers }: FastifyRequest): boolean {
  const type = mediaTypeOf(headers["content-type"]);
  return type === json || protobuf.includes(type);
}

function mediaTypeOf(contentType = ""): string {
  return contentType.split(";")[0]!.trim().toLowerCase();
}

/**
 * Refuses requests that are not OTLP over HTTP. Runs before the body is read.
 *
 * @param message that the address takes
 * @param advice where other content belongs
 */
export function checkOtlpCall(request: FastifyRequest, message: string, advice: string): void {
  if (!isOtlpRequest(request)) {
    throw new Failure(
      "unsupported",
      `The Content-Type is not accepted here. Send ${message} of OTLP as ${protobuf[0]} or ${json}; ${advice}.`,
    );
  }
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (compressions.includes(encoding)) return;
  throw new Failure(
    "unsupported",
    `The Content-Encoding is not accepted here. Send one of ${compressions.join(", ")}.`,
  );
}

/**
 * `ExportProfilesServiceResponse` and its like for spans and metrics, whose fields have the same numbers, in the encoding of the request.
 *
 * @param rejectedName the JSON name of the count of what was rejected
 */
export function exportReply(
  rejected: Rejected | undefined,
  rejectedName: "rejectedProfiles" | "rejectedSpans" | "rejectedDataPoints",
  contentType = "",
): FileReply {
  if (isJsonRequest(contentType)) {
    // In protobuf's JSON, 64-bit integers are texts.
    const partialSuccess = rejected && {
      [rejectedName]: String(rejected.count),
      errorMessage: rejected.message,
    };
    return new FileReply(json, Buffer.from(JSON.stringify({ partialSuccess })));
  }
  const fields = rejected && [numberField(1, rejected.count), bytesField(2, Buffer.from(rejected.message))];
  return new FileReply(
    mediaTypeOf(contentType),
    fields === undefined ? Buffer.alloc(0) : bytesField(1, Buffer.concat(fields)),
  );
}

/** Senders give up on other statuses than 429, 502, 503 and 504 (https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes). */
const statuses: Readonly<Partial<Record<FailureCode, number>>> = { unprocessable: 400, disk_full: 503 };

/** Turns errors on `scope` into `google.rpc.Status`, in the encoding of the request. */
export function answerAsStatus(scope: FastifyInstance): void {
  scope.addHook("preSerialization", async (_request, reply, payload) => {
    if (reply.statusCode < 400) return payload;
    const { error, code } = payload as { error: string; code: FailureCode };
    reply.code(statuses[code] ?? reply.statusCode).type(json);
    return { code: grpcStatus[connectErrors[code].code], message: error, details: [] };
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const type = mediaTypeOf(request.headers["content-type"]);
    if (reply.statusCode < 400 || !protobuf.includes(type) || typeof payload !== "string") return payload;
    const { code, message } = JSON.parse(payload) as { code: number; message: string };
    reply.type(type).removeHeader("content-length");
    return Buffer.concat([numberField(1, code), bytesField(2, Buffer.from(message))]);
  });
}

function numberField(field: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([field << 3, ...varint(value)]);
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];
}
