import type { ProfileType } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { type Subject, type SubjectFacts, subjectOf } from "#rules/subject.ts";

interface PictureFacts extends SubjectFacts {
  readonly related?: readonly Subject[];
  readonly earlier?: readonly Subject[];
  readonly timeMs?: number;
  /** Ten seconds where left out, 0 for types that are snapshots. */
  readonly durationNs?: bigint;
}

const usualDurations: Partial<Record<ProfileType, bigint>> = {
  cpu: 10_000_000_000n,
  mutex: 10_000_000_000n,
  block: 10_000_000_000n,
};

/**
 * A CPU profile of ten seconds. Columns are stacks, rows are depth with the root on top, the last row holds samples of
 * 10 ms: see `profileOf`. Columns must be 13 characters wide.
 */
export function cpuSubject(picture: string, facts: PictureFacts = {}): Subject {
  const lines = picture.trimEnd().split("\n");
  const samples = lines.pop()!;
  const values = samples.replaceAll(/(\d+)( *)/g, (cell, count: string) =>
    `${count},${Number(count) * 10_000_000} `.padEnd(cell.length),
  );
  return drawnSubject("cpu", [...lines, values].join("\n"), ["samples/count", "cpu/nanoseconds"], facts);
}

export function drawnSubject(
  type: ProfileType,
  picture: string,
  sampleTypes: readonly string[],
  {
    related = [],
    earlier = [],
    timeMs,
    durationNs = usualDurations[type] ?? 0n,
    ...facts
  }: PictureFacts = {},
): Subject {
  return subjectOf(profileOf(picture, { sampleTypes, durationNs }), type, {
    facts,
    related: () => related,
    earlier: () => earlier,
    ...(timeMs === undefined ? {} : { timeMs }),
  });
}
