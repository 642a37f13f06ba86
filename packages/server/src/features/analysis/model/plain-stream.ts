import { withoutHidden, withoutLinks } from "./untrusted-text.ts";

/** Cleans a text that comes in parts: links and hidden characters are removed although they may be cut in two. */
export class PlainStream {
  #rest = "";
  #left: number;

  constructor(lengthMax: number) {
    this.#left = lengthMax;
  }

  /** The text that can be shown now, up to the last white space. */
  add(part: string): string {
    this.#rest += part;
    const end = Math.max(this.#rest.lastIndexOf(" "), this.#rest.lastIndexOf("\n")) + 1;
    return this.#take(end);
  }

  /** The rest. */
  end(): string {
    return this.#take(this.#rest.length);
  }

  #take(end: number): string {
    const plain = withoutLinks(withoutHidden(this.#rest.slice(0, end))).slice(0, this.#left);
    this.#rest = this.#rest.slice(end);
    this.#left -= plain.length;
    return plain;
  }
}
