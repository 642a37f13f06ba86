import { connectErrors, type FailureCode, grpcStatus } from "@flamekeep/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Advice for senders of gRPC at the port of HTTP. */
export const noGrpcHere =
  "This port does not accept gRPC: send to the port GRPC_PORT of this server, 4317 by default, without TLS.";

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
