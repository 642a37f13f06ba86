import type { Alert } from "@flamekeep/contract";
import { alertChannels, type ChannelForm, channelForms, replyField } from "@flamekeep/contract";
import { AlertSettings } from "@flamekeep/contract/schemas";

export const openedAt = "2026-11-20T10:00:00.000Z";

/** An open alert: the CPU of checkout doubled. Alone in its incident, which has the same id. */
export const cpuAlert: Alert = {
  id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
  incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
  profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
  type: "cpu",
  profile_type: "cpu",
  sample_type: "cpu/nanoseconds",
  unit: "nanoseconds per second",
  service: "checkout",
  timestamp: openedAt,
  began_at: openedAt,
  status: "open",
  resolved_at: null,
  severity: "critical",
  previous_value: 1e9,
  current_value: 2e9,
  increase: 1,
  percent_change: 100,
  functions: [],
  previous_range: { from: openedAt, to: openedAt },
  current_range: { from: openedAt, to: openedAt },
  is_muted: false,
};

/** The settings of an organization in which no channel is set up. */
export const noChannels = AlertSettings.parse({
  problem: null,
  ...Object.fromEntries(
    alertChannels.map((channel) => [replyField(channel), emptyState(channelForms[channel])]),
  ),
});

function emptyState({ fields }: ChannelForm) {
  if (fields.some(({ kind }) => kind === "list")) return [];
  const values = fields.map((field) => {
    if (field.kind === "choice") return [field.stored, field.options[0]?.value];
    return field.kind === "secret" ? [field.stored, false] : ["origin", null];
  });
  return { ...Object.fromEntries(values), is_set: false };
}
