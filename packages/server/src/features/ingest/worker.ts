import { free } from "#memory/free.ts";
import { moved } from "#memory/moved.ts";
import { SentDefinitions } from "./definitions.ts";
import { encodeProfile } from "./encode-profile.ts";
import type { Encoded } from "./encoded.ts";
import { encodeHttpMetrics } from "./http-metrics-upload.ts";
import { profileUpload } from "./profile-upload.ts";
import { pyroscopeUpload } from "./pyroscope-upload.ts";
import { countersOf, type StoredCounters } from "./read-counters.ts";
import type { Outcome } from "./refusal.ts";
import type { Task } from "./task.ts";
import { parameter, type Upload } from "./upload.ts";

const sent = new SentDefinitions();

/** Entry of the worker threads: from a request's bytes to rows, or to why not. */
export function encode(task: Task): unknown {
  const outcome = outcomeOf(task);
  if (!outcome.ok || outcome.value.payload?.buffer !== task.body.buffer) free(task.body);
  return handedOver(outcome);
}

/** Entry: the counters of a stored profile, which the next snapshot of its series is compared with. */
export function readCounters(payload: Uint8Array): StoredCounters | undefined {
  return countersOf(payload);
}

function outcomeOf({ door, scope, epoch, query, contentType, body }: Task): Outcome<Encoded> {
  sent.startEpoch(epoch);
  if (door === "http_metrics") return encodeHttpMetrics(parameter(query, "service") ?? "", body, scope);
  const upload: Outcome<Upload> =
    door === "profile"
      ? profileUpload(query, body)
      : pyroscopeUpload({ query, contentType, body, nowMs: scope.nowMs });
  return upload.ok ? encodeProfile(upload.value, scope, sent) : upload;
}

/** Moves the rows' memory to the main thread instead of copying it. */
function handedOver(outcome: Outcome<Encoded>): unknown {
  if (!outcome.ok) return outcome;
  const { rows, payload, cumulative } = outcome.value;
  const views: ArrayBufferView[] = Object.values(rows);
  if (payload !== undefined) views.push(payload);
  if (cumulative !== undefined) views.push(cumulative.shown.ids, ...cumulative.shown.values);
  return moved(outcome, views);
}
