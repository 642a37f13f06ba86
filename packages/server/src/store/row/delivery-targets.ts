import { z } from "zod";

/** The JSON of `alert_settings.targets`: an entry for each channel that has values. `secrets` are sealed, see seal.ts. */
const StoredTargets = z.record(
  z.string(),
  z.object({ secrets: z.record(z.string(), z.string()), settings: z.record(z.string(), z.unknown()) }),
);
export type StoredTargets = z.output<typeof StoredTargets>;

export function parseTargets(text: string): StoredTargets {
  return StoredTargets.parse(JSON.parse(text));
}

/** The name under which a channel's secret is sealed: `webhookUrl` for `url` of `webhook`. Stored texts depend on it. */
export function sealedField(channel: string, name: string): string {
  return `${channel}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
