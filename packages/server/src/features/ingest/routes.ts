import type { IngestedProfile } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openCluster } from "#cluster/open-cluster.ts";
import type { OwnedScope } from "#cluster/owner.ts";
import type { Actor, Context } from "#context";
import { rateLimited } from "#failure";
import type { CallCounts } from "#http/endpoint/call-counts.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type ServeOptions, serve, uploadOf } from "#http/endpoint/serve.ts";
import { toFailure } from "#http/reply/error-reply.ts";
import { type Sender, senderOf } from "./admission/sender.ts";
import { admitBodies, takeReservation } from "./admit-bodies.ts";
import { answerDatadogTracers } from "./endpoints/datadog-tracers.ts";
import { openedProfile } from "./endpoints/profile.ts";
import { type Format, uploadEndpoints } from "./endpoints/table.ts";
import { refuseUnknownUploads, unbuiltPaths } from "./endpoints/unbuilt-endpoints.ts";
import type { UploadEndpoint } from "./endpoints/upload-endpoint.ts";
import { admitFetched, type FetchedRoom, noHeaders } from "./fetched-upload.ts";
import { serveGrpc } from "./grpc/listen.ts";
import { Intake } from "./intake.ts";
import { shareCounts } from "./owners/share-counts.ts";
import { takeCounted, takeFiles } from "./take-files.ts";
import type { Arrival } from "./threads/arrival.ts";
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
  /** Reserves room for an upload before the server fetches its bytes, by the limits of the organization's senders. */
  admit(sender: Sender): Promise<FetchedRoom>;
  /** Stores an upload within the same budget as the uploads of senders; resolves when it is on disk. */
  take(upload: ServerUpload): Promise<void>;
  /** Stores a file that a person opens, by the limits of its organization. */
  openFile(sender: Sender, file: Pick<Arrival, "query" | "body">): Promise<IngestedProfile>;
  /** Whether no more uploads can wait for the column store. */
  isLogFull(): boolean;
  /** Uploads of the organization to all servers in the last full minute. */
  uploadsInLastMinute(orgId: string): number;
  /** Runs a removal of stored profiles while none is written; removed profiles may be sent again. The signal aborts when the server stops. */
  runBetweenBatches<T>(removal: (stopped: AbortSignal) => Promise<T>): Promise<T>;
  /** The operation as it runs where uploads of the service are stored: here, or at another server on the same stores. */
  atOwner<I extends OwnedScope, R>(
    name: string,
    operation: (input: I) => Promise<R>,
  ): (input: I) => Promise<R>;
}

/** Adds the endpoints of ingestion. Closing the app finishes accepted uploads. */
export async function registerIngest(
  app: FastifyInstance,
  ctx: Context,
  callCounts?: CallCounts,
): Promise<Ingestion> {
  const intake = new Intake(ctx, await openCluster(ctx));
  const { owners } = intake;
  if (owners !== undefined) {
    app.addHook("onReady", () => owners.join());
    const ends = [
      shareCounts(owners.cluster, "usage", intake.limits, ctx.log),
      ...(callCounts ? [shareCounts(owners.cluster, "calls", callCounts, ctx.log)] : []),
    ];
    app.addHook("preClose", async () => {
      for (const end of ends) end();
    });
  }
  const { maxBytes, perMinute: callsMax } = ctx.config.ingest;
  // One for all endpoints: the setting limits a key, whichever it sends to.
  const options: ServeOptions<Sent> = {
    bodyBytesMax: maxBytes,
    rate: perMinute(app, "uploads", callsMax),
    fromRequest: sentBy,
  };
  app.addHook("preClose", async () => intake.beginStop());
  app.addHook("onClose", () => intake.close());
  refuseUnknownUploads(app, ctx, intake.counters);
  answerDatadogTracers(app, ctx);
  serveGrpc(app, ctx);
  for (const format of Object.keys(uploadEndpoints) as Format[])
    app.register((scope, _options, done) => {
      serveUploads(scope, ctx, { intake, format, options });
      done();
    });
  return {
    admit: (sender) => admitFetched(intake, sender),
    take: (upload) => takeServerUpload(intake, upload),
    openFile: (sender, file) => openFile(intake, sender, file),
    isLogFull: () => intake.isLogFull,
    uploadsInLastMinute: (orgId) => intake.limits.rates.lastMinute(orgId),
    runBetweenBatches: (removal) => intake.runBetweenBatches(removal),
    atOwner: (name, operation) => owners?.atOwner(name, operation) ?? operation,
  };
}

interface Served {
  readonly intake: Intake;
  readonly format: Format;
  readonly options: ServeOptions<Sent>;
}

/** Adds the endpoints of one format. */
function serveUploads(scope: FastifyInstance, ctx: Context, { intake, format, options }: Served): void {
  const endpoint: UploadEndpoint = uploadEndpoints[format];
  const { beforeBody } = endpoint;
  scope.addHook("onError", async (request, _reply, error) => {
    if (request.actor?.kind === "key") ctx.keyUsage.countRefused(request.actor, toFailure(error, request));
  });
  admitBodies(scope, ctx, { intake, bytesMax: ctx.config.ingest.maxBytes });
  endpoint.addHooks(scope, (refusal) => intake.refuse(refusal));
  for (const path of endpoint.paths) {
    serve(
      scope,
      ctx,
      { ...endpoint.call, path },
      async (_ctx, actor, _input, sent) => {
        // The type of an actor follows from one kind of credentials, and the list of endpoints has two.
        const sender = await senderOf(ctx, actor as unknown as Actor).catch((error: unknown) => {
          sent.reservation.release();
          throw error;
        });
        const arrival = { ...sent, format, ...sender };
        const files = endpoint.files?.split(sent);
        if (endpoint.files !== undefined && files !== undefined) {
          const results = await takeFiles(intake, ctx.keyUsage, arrival, files);
          return endpoint.files.reply(results);
        }
        const { stored, rejected } = await takeCounted(intake, ctx.keyUsage, arrival);
        return endpoint.reply(stored, { ...sent, rejected });
      },
      beforeBody === undefined ? options : { ...options, beforeBody },
    );
  }
}

async function openFile(
  intake: Intake,
  sender: Sender,
  { query, body }: Pick<Arrival, "query" | "body">,
): Promise<IngestedProfile> {
  const room = await admitFetched(intake, sender);
  try {
    room.grow(body.length);
    const { stored } = await room.take({ format: "file", query, body });
    return openedProfile(stored, { query });
  } finally {
    room.release();
  }
}

/** An upload as its request has it. */
type Sent = Omit<Arrival, "format" | keyof Sender>;

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
  const body = Uint8Array.from(upload.body);
  const unlimited = { orgRetentionDays: null, ownLimits: undefined };
  await intake.take({ ...upload, ...noHeaders, ...unlimited, body, reservation });
}

/** Memory that can be moved to a worker: small buffers share theirs with others. */
function unshared(body: Buffer): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : Uint8Array.from(body);
}
