import {
  type AlertChannel,
  type AlertSettings,
  type ChannelField,
  channelForms,
  channelState,
} from "@flamekeep/contract";
import { AlertSettingsChange } from "@flamekeep/contract/alert-settings";
import type { Problem } from "#ui/controls/form-problems.tsx";

/** The content of a form: the text of each field, and the secrets to remove, by the names of the fields. */
export interface ChannelDraft {
  readonly texts: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

/** URLs, keys and secrets start empty, because the server does not return them. */
export function draftOf(channel: AlertChannel, settings: AlertSettings): ChannelDraft {
  const state = channelState(settings, channel);
  const textOf = (field: ChannelField) => {
    if (field.kind === "choice") return String(state[field.stored]);
    return field.kind === "list" ? (state[field.name] as string[]).join("\n") : "";
  };
  return {
    texts: Object.fromEntries(channelForms[channel].fields.map((field) => [field.name, textOf(field)])),
    removed: [],
  };
}

/** The fields to change. An empty URL, key or secret keeps the stored one. */
export function changeOf(channel: AlertChannel, { texts, removed }: ChannelDraft): AlertSettingsChange {
  const values = channelForms[channel].fields.map(({ name, kind }) => {
    const text = texts[name] ?? "";
    if (kind === "list") return [name, itemsOf(text)];
    if (removed.includes(name)) return [name, null];
    const value = kind === "secret" ? text : text.trim();
    return [name, value === "" ? undefined : value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function removalOf(channel: AlertChannel): AlertSettingsChange {
  const stored = channelForms[channel].fields.filter(({ kind }) => kind !== "choice");
  return Object.fromEntries(stored.map(({ name, kind }) => [name, kind === "list" ? [] : null]));
}

function itemsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((item) => item !== ""))];
}

/** Problems of a form, by the rules of the contract. */
export function problemsOf(channel: AlertChannel, draft: ChannelDraft, settings: AlertSettings): Problem[] {
  const { fields } = channelForms[channel];
  const isSetUp = channelState(settings, channel).is_set;
  const change = changeOf(channel, draft);
  const missing = fields.filter((field) => isMissing(field, draft.texts[field.name] ?? "", isSetUp));
  if (missing.length > 0) return missing.map((field) => ({ field: field.name, text: missingText(field) }));
  const issues = AlertSettingsChange.safeParse(change).error?.issues ?? [];
  return issues.flatMap(({ path: [name, index], message }) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined
      ? []
      : [{ field: field.name, text: problemText(field, draft, index, message) }];
  });
}

/** A stored list is shown, and so it cannot be kept by leaving it empty. */
function isMissing({ kind }: ChannelField, text: string, isSetUp: boolean): boolean {
  if (kind === "list") return itemsOf(text).length === 0;
  return (kind === "url" || kind === "key") && !isSetUp && text.trim() === "";
}

function missingText({ kind, noun }: ChannelField): string {
  if (kind === "list") return `Enter at least one ${noun}`;
  return kind === "url" ? `Enter the ${noun} to send to` : `Enter the ${noun}`;
}

function problemText(
  field: ChannelField,
  { texts }: ChannelDraft,
  index: PropertyKey | undefined,
  message: string,
): string {
  if (field.kind !== "list") return message.replace(field.name, `The ${field.noun}`);
  const item = typeof index === "number" ? itemsOf(texts[field.name] ?? "")[index] : undefined;
  return item === undefined
    ? `Enter at most ${field.itemsMax} ${field.label.toLowerCase()}`
    : `${item} is not ${field.item}`;
}

/** Where a channel that is set up delivers to, as far as the server says it. */
export function targetText(channel: AlertChannel, settings: AlertSettings): string {
  const state = channelState(settings, channel);
  return channelForms[channel].fields.map((field) => targetPart(field, state)).join(", ");
}

function targetPart(field: ChannelField, state: Readonly<Record<string, unknown>>): string {
  switch (field.kind) {
    case "url":
      return state["origin"] === null ? "Unreadable stored address" : `${state["origin"]}/…`;
    case "key":
      return field.label;
    case "secret":
      return field.effects[state[field.stored] === true ? 0 : 1];
    case "choice":
      return field.options.find(({ value }) => value === state[field.stored])?.text ?? "";
    case "list":
      return (state[field.name] as string[]).join(", ");
  }
}
