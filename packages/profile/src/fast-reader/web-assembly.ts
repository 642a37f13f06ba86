import type { Bytes } from "#model/units.ts";

/** In every runtime, though not in the es2024 library. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  RuntimeError: new () => Error;
};
declare function atob(base64: string): string;

/** The exports of assembly/index.ts. */
export interface Assembly {
  readonly memory: { readonly buffer: ArrayBuffer };
  prepare(bytes: Bytes): number;
  read(start: number, bytes: Bytes, withLabels: number): number;
  result(): number;
}

export function assemblyOf(base64: string): Assembly {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  return instance.exports as Assembly;
}

/** Whether a module trapped: ours does so only when it cannot get more memory. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError;
}
