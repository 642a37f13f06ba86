import { nothingRecorded } from "#ingest/encode/checks/explained.ts";
import { type EncodeScope, encodeProfile } from "#ingest/encode/encode-profile.ts";
import type { Encoded } from "#ingest/encode/encoded.ts";
import { accepted, type Outcome } from "#ingest/refusal.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import { encodeHttpMetrics } from "./http-metrics/http-metrics-upload.ts";
import { profileUpload } from "./profile-upload.ts";
import { encodePush } from "./push/push.ts";
import { pyroscopeUpload } from "./pyroscope/pyroscope-upload.ts";
import { parameter, type Query, type Upload } from "./upload.ts";

/** One request, before anything of it is decoded. */
export interface FormatRequest {
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly scope: EncodeScope;
}

/**
 * From a request to the rows of everything in it. All of it is accepted, or nothing and the refusal says why. Snapshots that are
 * accepted here may still be refused one by one, once they are compared with what is stored.
 */
type Encode = (request: FormatRequest, sent: SentDefinitions) => Outcome<readonly Encoded[]>;

/** Everything that can be sent. One more format is a file in this folder, an entry here, an endpoint in the contract and its route. */
export const formats = {
  profile: oneProfile(({ query, body }) => profileUpload(query, body)),
  pyroscope: nothingIsFine(
    oneProfile(({ scope, ...request }) => pyroscopeUpload({ ...request, nowMs: scope.nowMs })),
  ),
  push: encodePush,
  http_metrics: ({ query, body, scope }) =>
    asList(encodeHttpMetrics(parameter(query, "service") ?? "", body, scope)),
} as const satisfies Record<string, Encode>;

export type Format = keyof typeof formats;

function oneProfile(read: (request: FormatRequest) => Outcome<Upload>): Encode {
  return (request, sent) => {
    const upload = read(request);
    return upload.ok ? asList(encodeProfile(upload.value, request.scope, sent)) : upload;
  };
}

/** As Pyroscope answers SDKs, which send an empty profile where they recorded nothing, such as when they stop. */
function nothingIsFine(encode: Encode): Encode {
  return (request, sent) => {
    const outcome = encode(request, sent);
    return !outcome.ok && outcome.refusal.reason === nothingRecorded ? accepted([]) : outcome;
  };
}

function asList(outcome: Outcome<Encoded>): Outcome<readonly Encoded[]> {
  return outcome.ok ? accepted([outcome.value]) : outcome;
}
