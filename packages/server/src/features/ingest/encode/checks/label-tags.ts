import { commonLabels } from "@flamekeep/profile";
import { tagLimits } from "./tags.ts";

/** Labels that name one thread, request or process: as tags they would make every profile a series of its own. */
const identifiers =
  /^(?:pid|tid|(?:thread|process|goroutine|span|trace|request|session|profile|local root span)[ _.-]?(?:id|name)|trace endpoint)$/i;

/**
 * The tags that a sender gave, and behind them the labels that all samples have alike: older SDKs (pyroscope-io up to 0.8)
 * send tags as labels. A tag of the same name stands; labels take the room that the tags leave.
 */
export function withLabelTags(
  tags: Iterable<readonly [string, string]>,
  raw: Uint8Array,
): readonly (readonly [string, string])[] {
  const given = [...tags];
  const names = new Set(given.map(([name]) => name));
  const labels = commonLabels(raw).filter(([name]) => !names.has(name) && !identifiers.test(name));
  return [...given, ...labels.slice(0, Math.max(0, tagLimits.tags - names.size))];
}
