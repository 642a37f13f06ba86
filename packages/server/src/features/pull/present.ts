import type { Target } from "@flamekeep/contract";
import type { StoredTarget, TargetState } from "./queries.ts";

export function presentTarget(
  { id, definition, headers, changedAt }: StoredTarget,
  state: TargetState,
): Target {
  return {
    id,
    ...definition,
    header_names: Object.keys(headers),
    changed_at: changedAt,
    instances: [...state.instances],
    instance_count: state.instanceCount,
    failing: state.failing,
    discovery_error: state.discoveryError,
  };
}
