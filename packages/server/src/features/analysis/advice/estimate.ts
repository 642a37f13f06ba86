import { findSampleType } from "@flamekeep/contract";
import type { Advice } from "./recommendations.ts";

/**
 * A sentence about the savings of all advice, for the sample type with the largest. Each piece of advice saves its share of what the
 * others leave, so that the sum never exceeds the whole.
 */
export function estimatedImprovement(advice: readonly Pick<Advice, "saving" | "sampleType">[]): string {
  if (advice.length === 0) return "No issues found: nothing in this profile is worth changing";
  const left = new Map<string, number>();
  for (const { saving, sampleType } of advice) {
    if (saving > 0) left.set(sampleType, (left.get(sampleType) ?? 1) * (1 - Math.min(1, saving)));
  }
  const [largest] = [...left].sort(([, a], [, b]) => a - b);
  if (largest === undefined) return "Depends on the load: see each recommendation";
  const [sampleType, remaining] = largest;
  const percent = Math.round((1 - remaining) * 100);
  return `${percent < 1 ? "Less than 1" : `Up to ${percent}`} % of ${findSampleType(sampleType)?.share ?? sampleType}`;
}
