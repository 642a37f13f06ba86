import type { Socket } from "node:net";
import { type FailureCode, failureStatus } from "@flamekeep/contract";
import type { ConnectionError } from "fastify";

const reasons: Readonly<Record<string, readonly [FailureCode, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    "headers_too_large",
    "Request Header Fields Too Large",
    "The headers are larger than 16 KiB.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["invalid", "Request Timeout", "The request did not arrive in time."],
};

/** What is no readable HTTP request still gets an answer of our form, and then the connection is closed. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
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
