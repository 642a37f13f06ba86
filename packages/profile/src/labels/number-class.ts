/**
 * The class of a numeric label, a 64-bit integer in two halves: 0, 1, 2-3, 4-7 and so on, each twice as wide as the one before.
 * Allocation sizes and counters have too many values to list each.
 */
export function numberClass(low: number, high: number): number {
  if (high >= 0x8000_0000) return negativeClass;
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
}

const negativeClass = 64;

/** `512-1023`, with a unit unless the key says it. */
export function numberClassText(numbers: number, unit: string, key: string): string {
  boundsTexts[numbers] ??= boundsText(numbers);
  const text = boundsTexts[numbers];
  return unit === "" || unit === key ? text : `${text} ${unit}`;
}

const boundsTexts: string[] = [];

function boundsText(numbers: number): string {
  if (numbers === negativeClass) return "negative";
  if (numbers < 2) return String(numbers);
  const first = 1n << BigInt(numbers - 1);
  return `${first}-${2n * first - 1n}`;
}
