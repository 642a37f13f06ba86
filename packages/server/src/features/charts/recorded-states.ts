import { limits } from "@flamekeep/contract";
import {
  defaultSampleType,
  type RecordedGoroutines,
  recordedGoroutines,
  type StackTable,
  sumStacks,
} from "@flamekeep/profile";
import { type Damage, type Opened, openProfile, tryOpening } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";

interface RecordedStates {
  /** By stack of the table; undefined if no profile has states. */
  readonly recorded: ReadonlyMap<number, RecordedGoroutines> | undefined;
  /** Profiles whose states could not be read. */
  readonly damages: readonly Damage[];
}

/**
 * The states that profiles record for a table of stored stacks. The counts of a stack add up to its value in the table, which may be a
 * mean over more profiles.
 */
export function recordedStates(table: StackTable, originals: readonly Original[]): RecordedStates {
  const byFrames = new Map<string, RecordedGoroutines>();
  const opened = originals.map((original) => tryOpening(() => addStates(byFrames, original)));
  const damages = opened.flatMap(({ damage }) => damage ?? []);
  if (byFrames.size === 0) return { recorded: undefined, damages };
  const recorded = new Map<number, RecordedGoroutines>();
  for (let stack = 0; stack < table.length; stack++) {
    const found = byFrames.get(framesKey(table, stack));
    if (found !== undefined) recorded.set(stack, scaled(found, Number(table.values[0]![stack])));
  }
  return { recorded, damages };
}

/** Whether a profile itself has the states of its goroutines. */
export function hasRecordedStates(original: Original): Opened<boolean> {
  return tryOpening(() => {
    const profile = openProfile(original);
    return recordedGoroutines(profile, defaultSampleType(profile, "goroutine")) !== undefined;
  });
}

function addStates(byFrames: Map<string, RecordedGoroutines>, original: Original): void {
  const profile = openProfile(original);
  const recorded = recordedGoroutines(profile, defaultSampleType(profile, "goroutine"));
  if (recorded === undefined) return;
  const stacks = sumStacks(profile);
  for (const [stack, { states, creators, waitMinutes }] of recorded) {
    const key = framesKey(stacks, stack);
    const found = byFrames.get(key) ?? { states: new Map(), creators: new Map(), waitMinutes: undefined };
    byFrames.set(key, found);
    add(found.states, states);
    add(found.creators, creators);
    if (waitMinutes !== undefined) found.waitMinutes = Math.max(waitMinutes, found.waitMinutes ?? 0);
  }
}

function add(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
}

function scaled({ states, creators, waitMinutes }: RecordedGoroutines, count: number): RecordedGoroutines {
  const sum = [...states.values()].reduce((total, each) => total + each, 0);
  const part = (counts: ReadonlyMap<string, number>) =>
    new Map([...counts].map(([name, each]) => [name, sum === 0 ? 0 : (each * count) / sum]));
  return { states: part(states), creators: part(creators), waitMinutes };
}

function framesKey({ start, frame, frames }: StackTable, stack: number): string {
  const end = Math.min(start[stack + 1]!, start[stack]! + limits.chartFramesMax);
  const named = Array.from(
    frame.subarray(start[stack], end),
    (at) => `${frames.functionName[at]}\n${frames.line[at]}`,
  );
  return named.join("\n");
}
