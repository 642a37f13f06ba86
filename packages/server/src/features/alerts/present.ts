import type { Alert, ProfileType } from "@flamekeep/contract";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { Muted } from "./alert-queries.ts";
import { measureOf } from "./measure.ts";
import { type AlertRow, GrownFunctions } from "./stored-alert.ts";

export function toAlert(row: AlertRow, muted: readonly Muted[]): Alert {
  const profileType = row.type as ProfileType;
  const isOpen = row.resolvedAt === null;
  const { unit } = toValueType(row.sampleType);
  return {
    id: row.id,
    profile_id: row.profileId,
    type: isOpen ? profileType : "resolved",
    profile_type: profileType,
    sample_type: row.sampleType,
    unit: measureOf(row.type).kind === "rate" ? `${unit} per second` : unit,
    service: row.service,
    timestamp: row.openedAt,
    status: isOpen ? "open" : "resolved",
    resolved_at: row.resolvedAt,
    severity: severityOf(row.increase),
    previous_value: row.previousValue,
    current_value: row.currentValue,
    increase: row.increase,
    percent_change: row.increase * 100,
    functions: GrownFunctions.parse(JSON.parse(row.functions)).map((grown) => ({
      name: grown.name,
      self_before: grown.selfBefore,
      self_after: grown.selfAfter,
      total_before: grown.totalBefore,
      total_after: grown.totalAfter,
      share: grown.share,
      total_share: grown.totalShare,
    })),
    previous_range: { from: row.baselineFrom, to: row.baselineTo },
    current_range: { from: row.currentFrom, to: row.currentTo },
    is_muted: muted.some(({ service, type }) => service === row.service && type === row.type),
  };
}

/** The specification's thresholds over the fraction. */
export function severityOf(increase: number): Alert["severity"] {
  if (increase >= 0.5) return "error";
  return increase >= 0.3 ? "warning" : "info";
}
