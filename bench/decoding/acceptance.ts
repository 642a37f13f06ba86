import { randomUUID } from "node:crypto";
import type { ProfileType } from "@flamekeep/contract";
import { freeContent } from "@flamekeep/server/ingest/commit/batch.ts";
import { encodeProfile } from "@flamekeep/server/ingest/encode/encode-profile.ts";
import { otlpEndpoint } from "@flamekeep/server/ingest/endpoints/otlp.ts";
import { SentDefinitions } from "@flamekeep/server/ingest/rows/definitions.ts";
import type { Encoded } from "@flamekeep/server/ingest/rows/encoded.ts";

/** All that a worker thread does with uploads. Their definitions are known from before once an upload is accepted again. */
export class Acceptance {
  readonly #sent = new SentDefinitions();
  readonly #scope = {
    orgId: randomUUID(),
    nowMs: Date.now(),
    // Recorded requests are years old.
    retentionDays: 36_500,
    inflatedBytesMax: 2 ** 30,
    samplesMax: 1e7,
    profilesMax: 10_000,
    labelValuesMax: 100,
    labelSeriesValuesMax: 1000,
  };

  /** An upload of one profile, in any format. */
  profile(name: string, body: Uint8Array, type: ProfileType): void {
    const outcome = encodeProfile(
      {
        service: "bench",
        type,
        nameHint: undefined,
        startedAtMs: this.#scope.nowMs,
        durationNs: 1n,
        tags: [],
        extraFacts: new Map(),
        isDelta: true,
        sender: "api",
        // Accepted profiles are transferred.
        body: Uint8Array.from(body),
      },
      this.#scope,
      this.#sent,
    );
    if (!outcome.ok) throw new Error(`${name}: ${outcome.refusal.message}`);
    // As once it is stored: left to the collector of garbage, it would be most of what that does.
    freeContent(outcome.value);
  }

  /** A request of OTLP, whose profiles are stored separately. */
  otlp(name: string, body: Uint8Array, take: (accepted: Encoded) => void = () => {}): void {
    const contentType = "application/x-protobuf";
    const request = { query: {}, contentType, body: Uint8Array.from(body), scope: this.#scope };
    const outcome = this.#sent.duringRequest(() => otlpEndpoint.encode(request, this.#sent));
    if (!outcome.ok) throw new Error(`${name}: ${outcome.refusal.message}`);
    for (const each of outcome.value) {
      take(each);
      freeContent(each);
    }
  }
}
