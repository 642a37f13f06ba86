import { withoutHidden, withoutLinks } from "./untrusted-text.ts";

/** A longer word is cut: an answer without white space would be searched from its start with each part. */
const wordLengthMax = 1000;

/** Removes links and hidden characters from a text that arrives in parts, also where a link is split between two parts. */
export class PlainStream {
  /** The text after the last white space. */
  #word = "";
  #lengthLeft: number;

  constructor(lengthMax: number) {
    this.#lengthLeft = lengthMax;
  }

  /** The text that can be shown now, up to the last white space. */
  add(part: string): string {
    const end = Math.max(part.lastIndexOf(" "), part.lastIndexOf("\n")) + 1;
    const words = end === 0 ? "" : this.#word + part.slice(0, end);
    this.#word = ((end === 0 ? this.#word : "") + part.slice(end)).slice(0, wordLengthMax + 1);
    return this.#take(words);
  }

  /** The last word. */
  end(): string {
    return this.#take(this.#word);
  }

  #take(text: string): string {
    const words = text.slice(0, 4 * this.#lengthLeft).replace(/\S+/g, shortened);
    const plain = withoutLinks(withoutHidden(words)).slice(0, this.#lengthLeft);
    this.#lengthLeft -= plain.length;
    return plain;
  }
}

function shortened(word: string): string {
  return word.length > wordLengthMax ? `${word.slice(0, wordLengthMax)}…` : word;
}
