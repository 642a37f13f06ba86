const unitNs: Readonly<Record<string, number>> = { ns: 1, us: 1000, ms: 1e6, s: 1e9 };
/** Events that pass with time; async-profiler also samples by others, such as cache misses. */
const clocks = new Set(["cpu", "itimer", "ctimer", "wall"]);
/** The intervals of async-profiler where it is given none. */
const [cpuDefaultNs, wallDefaultNs] = [10_000_000, 50_000_000];

/** The settings that a recording was made with. They hold for the chunks after them too. */
export class Settings {
  /** The event by which async-profiler samples. */
  event = "";
  /** As async-profiler writes them; 0 is its default, undefined where it has no such setting. */
  #interval: number | undefined;
  #wall: number | undefined;
  /** The period of the JDK's samples. */
  #periodNs = 0;
  /** Of Datadog's profiler, whose chunk comes after those of the JDK. */
  #datadogNs: { readonly cpu: number; readonly wall: number } | undefined;

  setDatadog(cpuMs: number, wallMs: number): void {
    this.#datadogNs = { cpu: Math.max(0, cpuMs) * 1e6, wall: Math.max(0, wallMs) * 1e6 };
  }

  set(name: string, value: string, isOfSamples: boolean): void {
    if (name === "event") this.event = value;
    else if (name === "interval" && /^\d{1,15}$/.test(value)) this.#interval = Number(value);
    else if (name === "wall" && /^\d{1,15}$/.test(value)) this.#wall = Number(value);
    else if (name === "period" && isOfSamples) this.#periodNs = durationOf(value) ?? this.#periodNs;
  }

  /** 0 where it is unknown, or samples are not of a clock. */
  get cpuIntervalNs(): number {
    if (this.#datadogNs !== undefined) return this.#datadogNs.cpu;
    if (this.event === "wall") return this.wallIntervalNs;
    if (this.event === "" || this.#interval === undefined) return this.#periodNs;
    return clocks.has(this.event) ? this.#interval || cpuDefaultNs : 0;
  }

  get wallIntervalNs(): number {
    if (this.#datadogNs !== undefined) return this.#datadogNs.wall;
    const interval = this.event === "wall" ? this.#interval : this.#wall;
    return interval || wallDefaultNs;
  }
}

/** `20 ms` in nanoseconds. */
function durationOf(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9}) ?(ns|us|ms|s)$/.exec(text) ?? [];
  return number === undefined || unit === undefined ? undefined : Number(number) * unitNs[unit];
}
