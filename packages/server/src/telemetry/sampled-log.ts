/** Writes one line to a log. */
type Write = (entry: object, message: string) => void;

interface Kind {
  readonly entry: object;
  suppressed: number;
}

/** Distinct kinds tracked until the next flush. */
const kindsMax = 1000;

/**
 * A log for lines that a misconfigured sender causes thousands of times a second: the first of each kind is written at once, the
 * others are counted, and each flush writes their number.
 */
export class SampledLog {
  readonly #write: Write;
  readonly #kinds = new Map<string, Kind>();
  #untracked = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  /** @param entry the fields that the flush writes with the number; `writeFirst` adds the fields of the first request */
  add(key: string, entry: object, writeFirst: () => void): void {
    const kind = this.#kinds.get(key);
    if (kind !== undefined) kind.suppressed++;
    else if (this.#kinds.size >= kindsMax) this.#untracked++;
    else {
      this.#kinds.set(key, { entry, suppressed: 0 });
      writeFirst();
    }
  }

  flush(): void {
    for (const { entry, suppressed } of this.#kinds.values()) {
      if (suppressed > 0) this.#write({ ...entry, suppressed }, "more requests refused like this one");
    }
    const suppressed = this.#untracked;
    if (suppressed > 0) this.#write({ suppressed }, "more requests refused in other ways");
    this.#kinds.clear();
    this.#untracked = 0;
  }
}
