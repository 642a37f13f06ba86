import type { ValueColumn } from "@flamekeep/profile";
import { dateTime } from "./tables.ts";
import { base64 } from "./words.ts";

export interface ProfileFacts {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly startedAtMs: number;
  readonly profileId: string;
  readonly receivedAtMs: number;
  readonly durationNs: bigint;
  readonly tags: ReadonlyMap<string, string>;
  readonly facts: ReadonlyMap<string, string>;
  readonly sampleTypes: readonly string[];
  /** By sample type, as the profile shows them. */
  readonly totals: readonly bigint[];
  readonly sampleCount: number;
  readonly stackCount: number;
  readonly originalBytes: number;
  readonly rawBytes: number;
  readonly contentHash: string;
  readonly trimmed: ReadonlyMap<string, number>;
  readonly sender: string;
}

/** The line of table `profiles` up to and with `sender`, a comma behind it. */
export function profileHead(facts: ProfileFacts): string {
  const values = [
    text(facts.orgId),
    text(facts.service),
    text(facts.type),
    text(dateTime(facts.startedAtMs)),
    text(facts.profileId),
    text(dateTime(facts.receivedAtMs)),
    facts.durationNs,
    object(facts.tags, text),
    object(facts.facts, text),
    `[${facts.sampleTypes.map(text)}]`,
    `[${facts.totals}]`,
    facts.sampleCount,
    facts.stackCount,
    facts.originalBytes,
    facts.rawBytes,
    text(facts.contentHash),
    object(facts.trimmed, String),
    text(facts.sender),
  ];
  return `[${values.join()},`;
}

/**
 * The rest of the line: what the profile adds. Ids are little-endian words; values are numbers in text, because most
 * are short and the engine reads them a quarter faster than words in base64.
 */
export function profileTail(
  stackIds: ArrayBufferView,
  deltas: readonly bigint[],
  values: readonly ValueColumn[],
): string {
  return `"${base64(stackIds)}",[${deltas}],[${values.map((column) => `[${column.join()}]`)}]]\n`;
}

function text(value: string): string {
  return JSON.stringify(value.toWellFormed());
}

function object<V>(map: ReadonlyMap<string, V>, write: (value: V) => string): string {
  return `{${[...map].map(([name, value]) => `${text(name)}:${write(value)}`)}}`;
}
