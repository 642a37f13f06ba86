import { type AlertChannel, alertChannels } from "@flamekeep/contract";
import { invalid } from "#failure";
import { parseTargets, type StoredTargets, sealedField } from "#store/row/delivery-targets.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { Seal, SealFault } from "#store/row/seal.ts";
import type { Channel, SettingsChange, Target } from "./channel.ts";
import { privateAddressText } from "./post.ts";
import { channels } from "./table.ts";

type OpenedTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly message: string };

export async function getTargets(rows: RowStore, orgId: string): Promise<StoredTargets> {
  const row = await rows
    .selectFrom("alertSettings")
    .select("targets")
    .where("orgId", "=", orgId)
    .executeTakeFirst();
  return row === undefined ? {} : parseTargets(row.targets);
}

export async function storeTargets(
  rows: RowStore,
  orgId: string,
  targets: StoredTargets,
  now: Date,
): Promise<void> {
  const row = { targets: JSON.stringify(targets), isSealed: 1 as const, updatedAt: now.toISOString() };
  await rows
    .insertInto("alertSettings")
    .values({ orgId, ...row })
    .onConflict((conflict) => conflict.column("orgId").doUpdateSet(row))
    .execute();
}

/** The targets after a request. Addresses in a private network are refused unless they are allowed. Values that were not sent stay as they are stored, even if they cannot be decrypted. */
export function changeTargets(
  stored: StoredTargets,
  body: SettingsChange,
  {
    seal,
    orgId,
    allowPrivate,
  }: { readonly seal: Seal; readonly orgId: string; readonly allowPrivate: boolean },
): StoredTargets {
  const changed = { ...stored };
  for (const channel of Object.values(channels)) {
    const { name } = channel;
    const before = storedTarget(stored, channel);
    const change = channel.change(body);
    const secrets = { ...before.secrets };
    for (const [field, text] of Object.entries(change.secrets)) {
      if (typeof text === "string" && channel.secrets[field]?.isUrl && !allowPrivate) {
        const refusal = privateAddressText(new URL(text));
        if (refusal !== undefined)
          throw invalid(`${channel.secrets[field].label} cannot be used: ${refusal}`);
      }
      if (text === null) delete secrets[field];
      else if (text !== undefined)
        secrets[field] = seal.seal(text, { orgId, field: sealedField(name, field) });
    }
    changed[name] = { secrets, settings: change.settings ?? before.settings };
  }
  return changed;
}

/** The target of a channel with its secrets decrypted. */
export function openTarget(
  stored: StoredTargets,
  channel: Channel,
  { seal, orgId }: { readonly seal: Seal; readonly orgId: string },
): OpenedTarget {
  const { secrets, settings } = storedTarget(stored, channel);
  const opened: Record<string, string> = {};
  for (const [field, { label, isUrl }] of Object.entries(channel.secrets)) {
    const sealed = secrets[field];
    if (sealed === undefined) continue;
    const result = seal.open(sealed, { orgId, field: sealedField(channel.name, field) });
    if (!result.ok) return { ok: false, message: `${label} cannot be decrypted: ${reasons[result.reason]}` };
    if (isUrl && !URL.canParse(result.text)) {
      return { ok: false, message: `${label} is stored as a text that is not a URL. Save it again.` };
    }
    opened[field] = result.text;
  }
  return { ok: true, target: { secrets: opened, settings } };
}

const reasons: Readonly<Record<SealFault, string>> = {
  unknown_key:
    "the server's AUTH_SECRET is not the one it was saved with. Save it again, or have the operator restore the former AUTH_SECRET.",
  changed: "its stored text was changed, or copied from another organization. Save it again.",
};

export function storedTarget(stored: StoredTargets, channel: Channel) {
  const { secrets = {}, settings = {} } = stored[channel.name] ?? {};
  return { secrets, settings: channel.settings.parse(settings) };
}

/** The channels that are set up. */
export function channelsOf(stored: StoredTargets): AlertChannel[] {
  return alertChannels.filter((name) => channels[name].isSetUp(storedTarget(stored, channels[name])));
}
