import { Transform } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context, KeyActor } from "#context";
import { rateLimited } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type ServeOptions, serve, uploadOf } from "#http/endpoint/serve.ts";
import { toFailure } from "#http/reply/error-reply.ts";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { overheadBytes, type Reservation } from "./admission/budget.ts";
import { ReservedBytes } from "./admission/stored-bytes.ts";
import { type Format, uploadEndpoints } from "./endpoints/table.ts";
import { refuseUnknownUploads, unbuiltPaths } from "./endpoints/unbuilt-endpoints.ts";
import type { UploadEndpoint } from "./endpoints/upload-endpoint.ts";
import { type Arrival, Intake } from "./intake.ts";
import { queryOf } from "./upload/upload.ts";

/** Every path that senders know, for `sendingAddress`. */
export const sendingPaths: ReadonlySet<string> = new Set([
  ...Object.values(uploadEndpoints).flatMap(({ paths }: UploadEndpoint) => paths),
  ...unbuiltPaths,
]);

/** An upload that the server makes itself. */
type ServerUpload = Pick<Arrival, "format" | "orgId" | "query" | "body">;

/** How the rest of the server uses ingestion. */
export interface Ingestion {
  /** Stores an upload within the same budget as the uploads of senders; resolves when it is on disk. */
  take(upload: ServerUpload): Promise<void>;
  /** Runs a removal of stored profiles while none is written; removed profiles may be sent again. The signal aborts when the server stops. */
  runBetweenBatches<T>(removal: (stopped: AbortSignal) => Promise<T>): Promise<T>;
}

/** Adds the endpoints of ingestion. Closing the app finishes accepted uploads. */
export function registerIngest(app: FastifyInstance, ctx: Context): Ingestion {
  const intake = new Intake(ctx);
  const { maxBytes, perMinute: callsMax } = ctx.config.ingest;
  // One for all endpoints: the setting limits a key, whichever it sends to.
  const options: ServeOptions<Sent> = {
    bodyBytesMax: maxBytes,
    rate: perMinute(app, callsMax),
    fromRequest: sentBy,
  };
  app.addHook("preClose", async () => intake.beginStop());
  app.addHook("onClose", () => intake.close());
  refuseUnknownUploads(app, ctx, intake.counters);
  for (const format of Object.keys(uploadEndpoints) as Format[]) {
    const endpoint: UploadEndpoint = uploadEndpoints[format];
    const { beforeBody } = endpoint;
    app.register((scope, _options, done) => {
      scope.addHook("onError", async (request, _reply, error) => {
        if (request.actor?.kind === "key")
          ctx.keyUsage.countRefused(request.actor, toFailure(error, request));
      });
      admitBodies(scope, intake, maxBytes);
      endpoint.addHooks(scope);
      for (const path of endpoint.paths) {
        serve(
          scope,
          ctx,
          { ...endpoint.call, path },
          async (_ctx, actor, _input, sent) => {
            const { orgId, orgRetentionDays } = actor;
            // The bytes move to another thread.
            const bytes = sent.body.length;
            const stored = await intake.take({ ...sent, format, orgId, orgRetentionDays });
            const newCount = stored.filter(({ isDuplicate }) => !isDuplicate).length;
            if (newCount > 0) ctx.keyUsage.countStored(actor, newCount, bytes);
            return endpoint.reply(stored, sent);
          },
          beforeBody === undefined ? options : { ...options, beforeBody },
        );
      }
      done();
    });
  }
  return {
    take: (upload) => takeServerUpload(intake, upload),
    runBetweenBatches: (removal) => intake.runBetweenBatches(removal),
  };
}

/** An upload as its request has it. */
type Sent = Omit<Arrival, "format" | "orgId" | "orgRetentionDays">;

function sentBy(request: FastifyRequest): Sent {
  return {
    query: queryOf(request),
    contentType: request.headers["content-type"],
    contentEncoding: request.headers["content-encoding"],
    body: unshared(uploadOf(request)),
    reservation: takeReservation(request),
  };
}

async function takeServerUpload(intake: Intake, upload: ServerUpload): Promise<void> {
  const reservation = intake.budget.reserve(upload.orgId, upload.body.length);
  if (reservation === undefined) throw rateLimited("The queue of uploads is full.", 1);
  const headers = { contentType: undefined, contentEncoding: undefined };
  const body = Uint8Array.from(upload.body);
  await intake.take({ ...upload, ...headers, orgRetentionDays: null, body, reservation });
}

/** Memory that can be moved to a worker: small buffers share theirs with others. */
function unshared(body: Buffer): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : Uint8Array.from(body);
}

declare module "fastify" {
  interface FastifyRequest {
    /** The upload's share of the queue, from its headers until it is stored. */
    reservation: Reservation | null;
  }
}

/** Checks the size of every body on `scope` and reserves room for it before it is read. */
function admitBodies(scope: FastifyInstance, intake: Intake, bytesMax: number): void {
  scope.decorateRequest("reservation", null);
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared > bytesMax) throw intake.refuse(tooLarge(bytesMax));
    if (await intake.isDiskFull()) throw intake.refuseForDisk();
    const { orgId } = request.actor as KeyActor;
    const stored = await intake.storedBytes.reserve(orgId, declared || 0);
    if (!(stored instanceof ReservedBytes)) throw intake.refuse(stored);
    request.reservation = intake.budget.reserve(orgId, overheadBytes + (declared || 0)) ?? null;
    if (request.reservation === null) {
      stored.release();
      throw intake.refuse(queueFull());
    }
    request.reservation.onRelease(() => stored.release());
    if (!Number.isNaN(declared)) return payload;
    const meter = metered(request, intake, { bytesMax, stored });
    // A pipe does not pass on that the sender disconnected.
    payload.once("error", (error) => meter.destroy(error));
    return payload.pipe(meter);
  });
  scope.addHook("onResponse", async (request) => releaseUnread(request));
  scope.addHook("onRequestAbort", async (request) => releaseUnread(request));
}

/** Passes the reservation to the caller, which releases it when the upload is stored. */
function takeReservation(request: FastifyRequest): Reservation {
  const { reservation } = request;
  if (reservation === null) throw new Error("The route was registered without admitBodies");
  request.reservation = null;
  return reservation;
}

function releaseUnread(request: FastifyRequest): void {
  request.reservation?.release();
  request.reservation = null;
}

/** Reserves room chunk by chunk for a body without a declared length. */
function metered(
  request: FastifyRequest,
  intake: Intake,
  { bytesMax, stored }: { readonly bytesMax: number; readonly stored: ReservedBytes },
): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) return done(intake.refuse(tooLarge(bytesMax)));
      const overQuota = stored.grow(chunk.length);
      if (overQuota !== undefined) done(intake.refuse(overQuota));
      else if (request.reservation?.grow(chunk.length) !== true) done(intake.refuse(queueFull()));
      else done(null, chunk);
    },
  });
}

function tooLarge(bytesMax: number): Refusal {
  return {
    code: "too_large",
    reason: "body_bytes",
    message: `The body is larger than ${bytesMax} bytes. Send a smaller one, or raise INGEST_MAX_BYTES on the server.`,
  };
}

function queueFull(): Refusal {
  return {
    code: "rate_limited",
    reason: "queue_bytes",
    message:
      "The server has as much waiting as it can hold. Send again after the seconds in Retry-After; where this lasts, raise INGEST_QUEUE_BYTES.",
  };
}
