import { type ConnectCode, connectErrors, type FailureCode } from "@flamekeep/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The status codes of gRPC (https://grpc.io/docs/guides/status-codes), by their names in Connect. */
export const grpcStatus: Readonly<Record<ConnectCode, number>> = {
  invalid_argument: 3,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  resource_exhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

/** Whether the sender speaks gRPC or gRPC-Web, over HTTP/1.1. */
export function isGrpc({ headers }: FastifyRequest): boolean {
  return /^application\/grpc\b/i.test(headers["content-type"] ?? "");
}

/** Makes `reply` a response of gRPC without messages ("Trailers-Only"); returns its empty body. */
export function toGrpcReply(
  code: FailureCode,
  message: string,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  reply
    .code(200)
    .type(request.headers["content-type"] ?? "application/grpc")
    .header("grpc-status", String(grpcStatus[connectErrors[code].code]))
    .header("grpc-message", percentEncoded(message));
  return "";
}

/** Printable ASCII without `%` stays as it is. */
function percentEncoded(message: string): string {
  return message.replace(/[^\x20-\x24\x26-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));
}
