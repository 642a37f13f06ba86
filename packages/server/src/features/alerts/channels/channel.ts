import type { AlertChannel, AlertSettings, InputOf, updateAlertSettings } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context } from "#context";
import type { Message } from "./message.ts";

export type SettingsChange = InputOf<typeof updateAlertSettings>;

type Values = Readonly<Record<string, unknown>>;

/** Where a channel delivers: as stored, with encrypted secrets, or opened, with secrets in plain text. */
export interface Target<Secret extends string = string, Settings extends Values = Values> {
  readonly secrets: Readonly<Partial<Record<Secret, string>>>;
  readonly settings: Settings;
}

/** The values of a channel in a request: undefined keeps the stored value, null removes it. */
interface TargetChange<Secret extends string = string, Settings extends Values = Values> {
  readonly secrets: Readonly<Record<Secret, string | null | undefined>>;
  readonly settings?: Settings | undefined;
}

/** The result of one attempt; `message` is for people. */
export interface Sent {
  readonly ok: boolean;
  readonly message: string;
}

export interface Outgoing {
  /** The same at every attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  readonly message: Message;
}

/** One way to deliver alerts. Each is a file of this folder and a line in table.ts. */
export interface Channel<Secret extends string = string, Settings extends Values = Values> {
  readonly name: AlertChannel;
  /** The values that are encrypted in the database. `label` is the beginning of a sentence about one. */
  readonly secrets: Readonly<Record<Secret, { readonly label: string; readonly isUrl: boolean }>>;
  /** The form of the other values; reads `{}` as a channel that is not set up. */
  readonly settings: z.ZodType<Settings>;
  change(body: SettingsChange): TargetChange<Secret, Settings>;
  isSetUp(target: Target<Secret, Settings>): boolean;
  /** The channel's fields in the reply. `opened` is undefined if the secrets cannot be decrypted. */
  present(
    stored: Target<Secret, Settings>,
    opened: Target<Secret, Settings> | undefined,
  ): Partial<AlertSettings>;
  /** The mailboxes that a message reaches: each has a limit for messages that others cause. */
  mailboxes?(target: Target<Secret, Settings>): readonly string[];
  /** One attempt. */
  send(ctx: Context, target: Target<Secret, Settings>, outgoing: Outgoing): Promise<Sent>;
}
