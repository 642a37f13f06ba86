type Labels = Readonly<Record<string, string | number>>;

interface Family {
  readonly help: string;
  readonly values: Map<string, number>;
}

interface Labelled {
  readonly labels: Labels;
  readonly value: number;
}

/** Values that are read at each scrape. */
interface Source {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly read: () => readonly Labelled[];
}

interface Histogram {
  readonly help: string;
  readonly bounds: readonly number[];
  /** By labels: how many values are at most each bound, all values, and their sum. */
  readonly values: Map<string, Float64Array>;
}

/** Upper bounds of durations in seconds: an upload takes milliseconds, a large read some seconds. */
const secondsBounds = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];

/** Counters, gauges and histograms in Prometheus' text format (version 0.0.4). Label values must come from closed sets. */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #sources: Source[] = [];

  /** Adds to a counter, whose name ends in `_total`. */
  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const family = entryOf(this.#families, name, () => ({ help, values: new Map() }));
    const key = labelText(labels);
    family.values.set(key, (family.values.get(key) ?? 0) + by);
  }

  /** Adds a value to a histogram, always with the same bounds. */
  observe(name: string, help: string, value: number, labels: Labels = {}, bounds = secondsBounds): void {
    const { values } = entryOf(this.#histograms, name, () => ({ help, bounds, values: new Map() }));
    const counts = entryOf(values, labelText(labels), () => new Float64Array(bounds.length + 2));
    for (const [at, bound] of bounds.entries()) if (value <= bound) counts[at]!++;
    counts[bounds.length]!++;
    counts[bounds.length + 1]! += value;
  }

  /** Registers a value that goes up and down. */
  gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
    this.gauges(name, help, () => [{ labels, value: read() }]);
  }

  /** Registers values whose labels are known at a scrape only. */
  gauges(name: string, help: string, read: () => readonly Labelled[]): void {
    this.#sources.push({ name, help, type: "gauge", read });
  }

  /** Registers a value that only goes up, whose name ends in `_total`. */
  counter(name: string, help: string, read: () => number): void {
    this.#sources.push({ name, help, type: "counter", read: () => [{ labels: {}, value: read() }] });
  }

  toText(): string {
    const lines: string[] = [];
    const begin = (name: string, help: string, type: string) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [name, { help, values }] of this.#families) {
      begin(name, help, "counter");
      for (const [labels, value] of values) lines.push(`${name}${braced(labels)} ${value}`);
    }
    for (const [name, { help, bounds, values }] of this.#histograms) {
      begin(name, help, "histogram");
      for (const [labels, counts] of values) lines.push(...histogramLines(name, labels, bounds, counts));
    }
    for (const { name, help, type, read } of this.#sources) {
      begin(name, help, type);
      for (const { labels, value } of read()) lines.push(`${name}${braced(labelText(labels))} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

/** Made where the map has none. */
function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

function histogramLines(
  name: string,
  labels: string,
  bounds: readonly number[],
  counts: Float64Array,
): string[] {
  const [count = 0, sum = 0] = counts.subarray(bounds.length);
  const labelled = (le: number | string) => braced(`${labels}${labels === "" ? "" : ","}le="${le}"`);
  return [
    ...bounds.map((bound, at) => `${name}_bucket${labelled(bound)} ${counts[at]}`),
    `${name}_bucket${labelled("+Inf")} ${count}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${count}`,
  ];
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

function labelText(labels: Labels): string {
  let pairs = "";
  for (const name in labels) pairs += `${pairs === "" ? "" : ","}${name}="${escaped(String(labels[name]))}"`;
  return pairs;
}

function escaped(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`));
}

/** Counts refusals by a limit of an organization, by the name of the limit. */
export const limitRefusals = {
  name: "flamekeep_organization_limit_refusals_total",
  help: "Requests refused by a limit of an organization, by limit.",
} as const;
