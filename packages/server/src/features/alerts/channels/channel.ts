import type { AlertChannel, InputOf, updateAlertSettings } from "@flamekeep/contract";
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

/** One way to deliver alerts. Each is a file of this folder, a line in table.ts, and its fields in the contract. */
export interface Channel<Secret extends string = string, Settings extends Values = Values> {
  readonly name: AlertChannel;
  /** The values that are encrypted in the database, by the kinds of their fields: each with the beginning of a sentence about it. */
  readonly secrets: Readonly<Record<Secret, string>>;
  /** The form of the other values; reads `{}` as a channel that is not set up. */
  readonly settings: z.ZodType<Settings>;
  /** The mailboxes that a message reaches: each has a limit for messages that others cause. */
  mailboxes?(target: Target<Secret, Settings>): readonly string[];
  /** One attempt. */
  send(ctx: Context, target: Target<Secret, Settings>, outgoing: Outgoing): Promise<Sent>;
}
