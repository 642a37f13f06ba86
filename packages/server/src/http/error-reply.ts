import { type FailureCode, failureStatus } from "@flamekeep/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "#failure";
import { StoreUnavailable } from "#store/column/unavailable.ts";

const broken = "Something went wrong on the server. Its log has the cause beside this request id.";

/** Every error becomes `{ error, code, request_id }`; only what we did not foresee is logged with its stack. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = toFailure(error);
    if (failure.code === "internal") request.log.error({ err: error }, "request failed");
    else if (failure.cause !== undefined) request.log.warn({ err: failure.cause }, failure.message);
    return sendFailure(failure, request, reply);
  });
}

export function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (failure.retryAfterSeconds !== undefined)
    reply.header("retry-after", Math.ceil(failure.retryAfterSeconds));
  if (failure.code === "unauthenticated") reply.header("www-authenticate", 'Bearer realm="flamekeep"');
  reply.header("cache-control", "no-store");
  return reply
    .code(failure.status)
    .type("application/json; charset=utf-8")
    .send({
      error: failure.code === "internal" ? broken : failure.message,
      code: failure.code,
      request_id: request.id,
    });
}

function toFailure(error: FastifyError | Failure): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StoreUnavailable) {
    return new Failure("unavailable", "The store is restarting. Try again in a moment.", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  return fromFramework(error);
}

function fromFramework(error: FastifyError): Failure {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new Failure("too_large", "The body is larger than this call accepts.");
  }
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new Failure(
      "unsupported",
      "This Content-Type is not accepted here. Send JSON with Content-Type: application/json.",
    );
  }
  const status = error.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    return new Failure(codeOf(status), error.message);
  }
  return new Failure("internal", error.message, { cause: error });
}

function codeOf(status: number): FailureCode {
  const known = Object.entries(failureStatus).find(([, value]) => value === status);
  return (known?.[0] as FailureCode | undefined) ?? "invalid";
}
