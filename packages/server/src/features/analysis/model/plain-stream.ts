import { withoutHidden, withoutLinks } from "./untrusted-text.ts";

/** Removes links and hidden characters from a text that arrives in parts, also where a link is split between two parts. */
export class PlainStream {
  #rest = "";
  #lengthLeft: number;

  constructor(lengthMax: number) {
    this.#lengthLeft = lengthMax;
  }

  /** The text that can be shown now, up to the last white space. */
  add(part: string): string {
    this.#rest += part;
    const end = Math.max(this.#rest.lastIndexOf(" "), this.#rest.lastIndexOf("\n")) + 1;
    return this.#take(end);
  }

  /** The text after the last white space. */
  end(): string {
    return this.#take(this.#rest.length);
  }

  #take(end: number): string {
    const plain = withoutLinks(withoutHidden(this.#rest.slice(0, end))).slice(0, this.#lengthLeft);
    this.#rest = this.#rest.slice(end);
    this.#lengthLeft -= plain.length;
    return plain;
  }
}
