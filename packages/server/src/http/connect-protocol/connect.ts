import { connectErrors, type FailureCode } from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure, invalid } from "#failure";
import { FileReply } from "#http/reply/reply.ts";
import { isGrpc, noGrpcHere, toGrpcReply } from "./grpc-reply.ts";

/** The codecs and compressions of unary calls (https://connectrpc.com/docs/protocol#unary-request). */
const codecs = ["application/proto", "application/json"];
const compressions = ["gzip", "zstd", "identity"];

/** Refuses requests that are no supported unary call of Connect. Runs before the body is read. */
export async function checkConnectCall(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isGrpc(request)) {
    throw new Failure("unimplemented", noGrpcHere);
  }
  if (codecOf(request.headers["content-type"]) === undefined) {
    reply.header("accept-post", codecs.join(", "));
    throw new Failure(
      "unsupported",
      `The Content-Type is not accepted here. Send a unary call of Connect as ${codecs.join(" or ")}.`,
    );
  }
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (!compressions.includes(encoding)) {
    reply.header("accept-encoding", compressions.join(", "));
    throw new Failure(
      "unimplemented",
      `The Content-Encoding is not accepted here. Send one of ${compressions.join(", ")}.`,
    );
  }
  const version = request.headers["connect-protocol-version"];
  if (version !== undefined && version !== "1") throw invalid("Connect-Protocol-Version must be 1.");
}

/** An empty message in the codec of the request. */
export function emptyMessage(contentType: string | undefined): FileReply {
  const codec = codecOf(contentType) ?? "application/proto";
  return new FileReply(codec, Buffer.from(codec === "application/json" ? "{}" : ""));
}

/** Turns every error on `scope` into Connect's form, or into gRPC's for its senders. */
export function answerAsConnect(scope: FastifyInstance): void {
  scope.addHook("preSerialization", async (request, reply, payload) => {
    if (reply.statusCode < 400) return payload;
    const { error, code, request_id } = payload as { error: string; code: FailureCode; request_id: string };
    if (isGrpc(request)) {
      toGrpcReply(code, error, request, reply);
      return payload;
    }
    const connectError = connectErrors[code];
    // Clients compare the whole Content-Type.
    reply.code(connectError.status).type("application/json");
    return { code: connectError.code, message: error, request_id };
  });
  scope.addHook("onSend", async (_request, reply, payload) =>
    reply.hasHeader("grpc-status") ? "" : payload,
  );
}

function codecOf(contentType = ""): string | undefined {
  const [type = ""] = contentType.split(";");
  return codecs.find((codec) => codec === type.trim().toLowerCase());
}
