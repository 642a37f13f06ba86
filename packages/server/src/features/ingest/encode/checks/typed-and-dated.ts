import type { ProfileType } from "@flamekeep/contract";
import type { ProfileStacks } from "@flamekeep/profile";
import { accepted, type Outcome } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import { checkedType } from "./checked-type.ts";
import {
  datedUpload,
  isoOrNumber,
  type StartedAt,
  startedAt,
  type TimeWindow,
  withinWindow,
} from "./started-at.ts";

interface TypedAndDated {
  readonly type: ProfileType;
  readonly started: StartedAt;
  /** For the person whose file is listed at another time than its own. */
  readonly moved: string | undefined;
}

interface Scope extends TimeWindow {
  readonly retentionDaysByType?: ReadonlyMap<ProfileType, number>;
}

/** The type and the time that a profile is listed with. A file that a person opens is listed now if its own time is not kept. */
export function typedAndDated(upload: Upload, profile: ProfileStacks, scope: Scope): Outcome<TypedAndDated> {
  const started = startedAt(upload.startedAtMs, profile.timeNs, scope.nowMs);
  const dated = datedUpload(upload.sender, started.source);
  const mayMove = upload.isOpened === true && started.source === "profile";
  const window = withinWindow(started.ms, scope, dated);
  if (!window.ok && !mayMove) return window;
  const type = checkedType(upload, profile);
  if (!type.ok) return type;
  const typeRetentionDays = scope.retentionDaysByType?.get(type.value);
  const windowOfType = withinWindow(started.ms, { ...scope, typeRetentionDays }, dated);
  if (windowOfType.ok) return accepted({ type: type.value, started, moved: undefined });
  if (!mayMove) return windowOfType;
  const moved = `The file is from ${isoOrNumber(started.ms)}, a time that is not kept. It is listed at the time of its upload.`;
  return accepted({ type: type.value, started: { ms: scope.nowMs, source: "arrival" }, moved });
}
