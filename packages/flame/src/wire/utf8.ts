/** The part of the Encoding Standard in use here. Every JavaScript runtime has it; the language's own library does not. */
interface Encoding {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new () => { decode(bytes: Uint8Array): string };
}

const { TextEncoder, TextDecoder } = globalThis as unknown as Encoding;

export function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Malformed sequences become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
