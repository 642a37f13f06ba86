import type { AlertMute, ProfileType } from "@flamekeep/contract";
import type { StoredMute } from "./queries.ts";

export function toMute({
  id,
  service,
  type,
  tags,
  reason,
  createdAt,
  startsAt,
  until,
}: StoredMute): AlertMute {
  return {
    id,
    service,
    type: type as ProfileType | null,
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    reason,
    muted_at: createdAt,
    starts_at: startsAt,
    until,
  };
}
