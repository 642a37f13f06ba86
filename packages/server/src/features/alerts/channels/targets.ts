import { type AlertChannel, alertChannels, type ChannelField, channelForms } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { invalid } from "#failure";
import { parseTargets, type StoredTargets, sealedField } from "#store/row/delivery-targets.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { Seal, SealFault } from "#store/row/seal.ts";
import type { Channel, Outgoing, Sent, SettingsChange, Target } from "./channel.ts";
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

interface Sealing {
  readonly seal: Seal;
  readonly orgId: string;
}

/** The targets after a request. Addresses in a private network are refused unless they are allowed. Values that were not sent stay as they are stored, even if they cannot be decrypted. */
export function changeTargets(
  stored: StoredTargets,
  body: SettingsChange,
  sealing: Sealing & { readonly allowPrivate: boolean },
): StoredTargets {
  const all = Object.values(channels);
  const changed = all.map((channel) => [channel.name, changeTarget(stored, channel, body, sealing)] as const);
  return { ...stored, ...Object.fromEntries(changed) };
}

function changeTarget(
  stored: StoredTargets,
  channel: Channel,
  body: Readonly<Record<string, unknown>>,
  { seal, orgId, allowPrivate }: Sealing & { readonly allowPrivate: boolean },
): StoredTargets[string] {
  const before = storedTarget(stored, channel);
  const secrets = { ...before.secrets };
  const settings: Record<string, unknown> = { ...before.settings };
  for (const field of fieldsOf(channel)) {
    const { kind } = field;
    const value = body[field.name];
    if (value === undefined) continue;
    if (field.kind === "list") settings["addresses"] = distinct(value as readonly string[]);
    else if (field.kind === "choice") settings[field.stored] = value;
    else if (value === null) delete secrets[kind];
    else {
      const text = String(value);
      const refusal = kind === "url" && !allowPrivate ? privateAddressText(new URL(text)) : undefined;
      if (refusal !== undefined) throw invalid(`${channel.secrets[kind]} cannot be used: ${refusal}`);
      const place = { orgId, field: sealedField(channel.name, kind) };
      if (!isSealedText(seal, secrets[kind], text, place)) secrets[kind] = seal.seal(text, place);
    }
  }
  return { secrets, settings };
}

/** A text is sealed differently each time. */
function isSealedText(
  seal: Seal,
  sealed: string | undefined,
  text: string,
  place: Parameters<Seal["open"]>[1],
): boolean {
  if (sealed === undefined) return false;
  const opened = seal.open(sealed, place);
  return opened.ok && opened.text === text;
}

/** The target of a channel with its secrets decrypted. */
export function openTarget(stored: StoredTargets, channel: Channel, { seal, orgId }: Sealing): OpenedTarget {
  const { secrets, settings } = storedTarget(stored, channel);
  const opened: Record<string, string> = {};
  for (const [kind, label] of Object.entries(channel.secrets)) {
    const sealed = secrets[kind];
    if (sealed === undefined) continue;
    const result = seal.open(sealed, { orgId, field: sealedField(channel.name, kind) });
    if (!result.ok) return { ok: false, message: `${label} cannot be decrypted: ${reasons[result.reason]}` };
    if (kind === "url" && !URL.canParse(result.text)) {
      return { ok: false, message: `${label} is stored, but is not a URL. Save it again.` };
    }
    opened[kind] = result.text;
  }
  return { ok: true, target: { secrets: opened, settings } };
}

const reasons: Readonly<Record<SealFault, string>> = {
  unknown_key:
    "the server's AUTH_SECRET has changed since it was saved. Save it again, or have the operator restore the old AUTH_SECRET.",
  changed: "its stored text was changed, or copied from another organization. Save it again.",
};

export function storedTarget(stored: StoredTargets, channel: Channel) {
  const { secrets = {}, settings = {} } = stored[channel.name] ?? {};
  return { secrets, settings: channel.settings.parse(settings) };
}

/** The channels that are set up. */
export function channelsOf(stored: StoredTargets): AlertChannel[] {
  return alertChannels.filter((name) => isSetUp(storedTarget(stored, channels[name])));
}

function isSetUp({ secrets, settings }: Target): boolean {
  const { addresses = [] } = settings as { addresses?: readonly string[] };
  return (secrets["url"] ?? secrets["key"]) !== undefined || addresses.length > 0;
}

/** The channel's fields in the reply. @param opened undefined if the secrets cannot be decrypted */
export function presentTarget(
  channel: Channel,
  stored: Target,
  opened: Target | undefined,
): Readonly<Record<string, unknown>> {
  const state: Record<string, unknown> = { is_set: isSetUp(stored) };
  for (const field of fieldsOf(channel)) {
    if (field.kind === "list") return { [field.name]: stored.settings["addresses"] };
    if (field.kind === "secret") state[field.stored] = stored.secrets[field.kind] !== undefined;
    if (field.kind === "choice") state[field.stored] = stored.settings[field.stored];
    if (field.kind === "url") {
      const url = opened?.secrets[field.kind];
      state["origin"] = url === undefined ? null : new URL(url).origin;
    }
  }
  return { [channel.name]: state };
}

function fieldsOf({ name }: Channel): readonly ChannelField[] {
  return channelForms[name].fields;
}

/** Each mailbox once, in the spelling of its first mention. */
function distinct(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) {
    const key = address.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}

const delayMsMax = 6 * hourMs;

/** One attempt over one channel of an organization. */
export async function sendMessage(
  ctx: Context,
  to: { readonly orgId: string; readonly stored: StoredTargets; readonly channel: Channel },
  outgoing: Outgoing,
): Promise<Sent> {
  const opened = openTarget(to.stored, to.channel, { seal: ctx.seal, orgId: to.orgId });
  if (!opened.ok) return opened;
  if (!isSetUp(opened.target)) return { ok: false, message: "This channel is not set up" };
  return to.channel.send(ctx, opened.target, outgoing);
}

/** Doubles from one minute to six hours. */
export function delayMs(attempts: number): number {
  return Math.min(delayMsMax, minuteMs * 2 ** (attempts - 1));
}
