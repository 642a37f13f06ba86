import { ingestHttpMetrics, ingestProfile, ingestPyroscope, pushProfiles } from "@flamekeep/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context, KeyActor } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type ServeOptions, serve } from "#http/endpoint/serve.ts";
import { admitBodies, takeReservation } from "./admission/admit-bodies.ts";
import { explainParameters } from "./endpoints/parameters/explain-parameters.ts";
import { ignoredParameters, takenParameters } from "./endpoints/parameters/ignored-parameters.ts";
import { toIngestedMetrics, toIngestedProfile } from "./endpoints/present.ts";
import { answerAsConnect, checkConnectCall, emptyMessage } from "./endpoints/push/connect.ts";
import type { Format } from "./endpoints/table.ts";
import type { Query } from "./endpoints/upload.ts";
import { type InsideUpload, takeInside } from "./inside.ts";
import { type Arrival, Intake, type Taken } from "./intake.ts";

const profileParameters = takenParameters(ingestProfile);
const metricsParameters = takenParameters(ingestHttpMetrics);

/** What the server itself does with ingestion. */
export interface InsideDoor {
  take(upload: InsideUpload): Promise<void>;
  /** Runs what removes stored profiles while none is written; what was removed may be sent again. The signal says that the server stops. */
  between<T>(removal: (stopped: AbortSignal) => Promise<T>): Promise<T>;
}

/** The endpoints of ingestion, and what the server itself does with it. Closing the app finishes what was accepted. */
export function registerIngest(app: FastifyInstance, ctx: Context): InsideDoor {
  const intake = new Intake(ctx);
  const { maxBytes, perMinute: callsMax } = ctx.config.ingest;
  // One for all doors: the setting is of a key, whichever it sends to.
  const options: ServeOptions = { bodyBytesMax: maxBytes, rate: perMinute(app, callsMax) };
  app.addHook("preClose", async () => intake.beginStop());
  app.addHook("onClose", () => intake.close());
  app.register((scope, _options, done) => {
    admitBodies(scope, intake, maxBytes);
    explainParameters(scope);
    serve(
      scope,
      ctx,
      ingestProfile,
      async ({ actor, body, request }) =>
        toIngestedProfile(
          one(await intake.take(arrival("profile", actor, body, request))),
          ignoredParameters(request.query as Query, profileParameters),
        ),
      options,
    );
    serve(
      scope,
      ctx,
      ingestHttpMetrics,
      async ({ actor, body, request }) =>
        toIngestedMetrics(
          one(await intake.take(arrival("http_metrics", actor, body, request))),
          ignoredParameters(request.query as Query, metricsParameters),
        ),
      options,
    );
    done();
  });
  app.register((scope, _options, done) => {
    admitBodies(scope, intake, maxBytes);
    explainParameters(scope);
    answerAsPyroscope(scope);
    for (const path of ["/ingest", "/pyroscope/ingest"]) {
      serve(
        scope,
        ctx,
        { ...ingestPyroscope, path },
        async ({ actor, body, request }) => {
          await intake.take(arrival("pyroscope", actor, body, request));
          return {};
        },
        options,
      );
    }
    done();
  });
  app.register((scope, _options, done) => {
    admitBodies(scope, intake, maxBytes);
    answerAsConnect(scope);
    for (const path of [pushProfiles.path, `/pyroscope${pushProfiles.path}`]) {
      serve(
        scope,
        ctx,
        { ...pushProfiles, path },
        async ({ actor, body, request }) => {
          await intake.take(arrival("push", actor, body, request));
          return emptyMessage(request);
        },
        { ...options, beforeBody: checkConnectCall },
      );
    }
    done();
  });
  return {
    take: (upload) => takeInside(intake, upload),
    between: (removal) => intake.between(removal),
  };
}

function one([taken]: readonly Taken[]): Taken {
  if (taken === undefined) throw new Error("An upload was accepted without anything in it");
  return taken;
}

function arrival(format: Format, key: KeyActor, body: Buffer, request: FastifyRequest): Arrival {
  return {
    format,
    orgId: key.orgId,
    ownRetentionDays: key.ownRetentionDays,
    query: request.query as Query,
    contentType: request.headers["content-type"],
    contentEncoding: request.headers["content-encoding"],
    body: alone(body),
    reservation: takeReservation(request),
  };
}

/** Memory that can be moved to a worker: small buffers share theirs with others. */
function alone(body: Buffer): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : Uint8Array.from(body);
}

/** Pyroscope's clients read `message` of an error. */
function answerAsPyroscope(scope: FastifyInstance): void {
  scope.addHook("preSerialization", async (_request, reply, payload) => {
    if (reply.statusCode < 400 || typeof payload !== "object" || payload === null) return payload;
    return "error" in payload ? { ...payload, message: payload.error } : payload;
  });
}
