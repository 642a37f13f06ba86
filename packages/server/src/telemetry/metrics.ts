type Labels = Readonly<Record<string, string | number>>;

interface Family {
  readonly help: string;
  readonly values: Map<string, number>;
}

/** Counters and gauges in Prometheus' text format (version 0.0.4). Label values must come from closed sets. */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #gauges: { name: string; help: string; read: () => number }[] = [];

  /** Adds to a counter. Names end in `_total`, or in `_sum` and `_count` for averages. */
  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const family = this.#families.get(name) ?? this.#add(name, help);
    const key = labelText(labels);
    family.values.set(key, (family.values.get(key) ?? 0) + by);
  }

  /** Registers a value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.push({ name, help, read });
  }

  toText(): string {
    const lines: string[] = [];
    for (const [name, { help, values }] of this.#families) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
      for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
    }
    for (const { name, help, read } of this.#gauges) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${read()}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #add(name: string, help: string): Family {
    const family: Family = { help, values: new Map() };
    this.#families.set(name, family);
    return family;
  }
}

function labelText(labels: Labels): string {
  let pairs = "";
  for (const name in labels) pairs += `${pairs === "" ? "" : ","}${name}="${escaped(String(labels[name]))}"`;
  return pairs === "" ? "" : `{${pairs}}`;
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
