/** Width of the bins of profile_totals_1h: bin n holds values in (base^(n-1), base^n]. */
const base = 1.02;
const zeroBin = -32_768;
/** The number of values of Int16, the type of a bin. */
const bins = 65_536;

/** The same formula as in roll-up-chunks.ts. */
export function binOf(value: number): number {
  return value > 0 ? Math.ceil(Math.log(value) / Math.log(base)) : zeroBin;
}

interface Histogram {
  readonly bins: readonly number[];
  readonly binProfiles: readonly number[];
}

/**
 * The value of rank ceil(quantile * count) of the merged histograms, within 1% of that value: the middle of a bin is
 * at most 1% from each of its values. In the highest bin it is the highest value itself, at most 2% above.
 */
export function quantileOf(histograms: Iterable<Histogram>, quantile: number, highest: number): number {
  const counts = new Float64Array(bins);
  let count = 0;
  let top = 0;
  for (const { bins: found, binProfiles } of histograms) {
    for (let index = 0; index < found.length; index++) {
      const place = found[index]! - zeroBin;
      const profiles = binProfiles[index]!;
      counts[place] = counts[place]! + profiles;
      count += profiles;
      if (place > top) top = place;
    }
  }
  const rank = Math.ceil(quantile * count);
  let passed = 0;
  for (let place = 0; place < top; place++) {
    passed += counts[place]!;
    if (passed >= rank && passed > 0) return place === 0 ? 0 : (2 * base ** (place + zeroBin)) / (base + 1);
  }
  return highest;
}
