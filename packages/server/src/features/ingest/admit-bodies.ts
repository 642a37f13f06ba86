import { Transform } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { logFull, overheadBytes, queueFull, type Reservation } from "./admission/budget.ts";
import { type Sender, senderOf } from "./admission/sender.ts";
import { ReservedBytes } from "./admission/stored-bytes.ts";
import type { Intake } from "./intake.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The upload's share of the queue, from its headers until it is stored. */
    reservation: Reservation | null;
  }
}

/** Room for an upload whose bytes arrive. */
export interface AdmittedUpload {
  readonly reservation: Reservation;
  /** Reserves more, or says why that is refused. */
  grow(bytes: number): Refusal | undefined;
}

/** Reserves room for an upload before its bytes are read. Throws the failure of its sender if there is none. */
export async function admitUpload(intake: Intake, sender: Sender, bytes = 0): Promise<AdmittedUpload> {
  if (await intake.isDiskFull()) throw intake.refuseForDisk();
  if (intake.isLogFull) throw intake.refuse(logFull);
  const stored = await intake.limits.admit(sender, bytes);
  if (!(stored instanceof ReservedBytes)) throw intake.refuse(stored);
  const reservation = intake.budget.reserve(sender.orgId, overheadBytes + bytes);
  if (reservation === undefined) {
    stored.release();
    throw intake.refuse(queueFull());
  }
  reservation.onRelease(() => stored.release());
  const grow = (more: number) => stored.grow(more) ?? (reservation.grow(more) ? undefined : queueFull());
  return { reservation, grow };
}

/** Checks the size of every body on `scope` and reserves room for it before it is read. */
export function admitBodies(
  scope: FastifyInstance,
  ctx: Context,
  { intake, bytesMax }: { readonly intake: Intake; readonly bytesMax: number },
): void {
  scope.decorateRequest("reservation", null);
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared > bytesMax) throw intake.refuse(tooLarge(bytesMax));
    if (request.actor === null) throw new Error("An upload without a sender passed authentication");
    const sender = await senderOf(ctx, request.actor);
    const admitted = await admitUpload(intake, sender, declared || 0);
    request.reservation = admitted.reservation;
    if (!Number.isNaN(declared)) return payload;
    const meter = metered(request, intake, { bytesMax, admitted });
    // A pipe does not pass on that the sender disconnected.
    payload.once("error", (error) => meter.destroy(error));
    return payload.pipe(meter);
  });
  scope.addHook("onResponse", async (request) => releaseUnread(request));
  scope.addHook("onRequestAbort", async (request) => releaseUnread(request));
}

/** Passes the reservation to the caller, which releases it when the upload is stored. */
export function takeReservation(request: FastifyRequest): Reservation {
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
  { bytesMax, admitted }: { readonly bytesMax: number; readonly admitted: AdmittedUpload },
): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) return done(intake.refuse(tooLarge(bytesMax)));
      // An aborted request has released its room.
      const refusal = request.reservation === null ? queueFull() : admitted.grow(chunk.length);
      if (refusal === undefined) done(null, chunk);
      else done(intake.refuse(refusal));
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
