import type { Bytes } from "#model/units.ts";
import { assemblyBytes } from "./assembly-bytes.ts";

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
  startText(partBytes: Bytes, key: bigint): number;
  readLines(bytes: Bytes, base: number, kind: number, runsOfLineMax: number): void;
  readonly lines: { readonly value: number };
  readonly linesEnd: { readonly value: number };
  readonly added: { readonly value: number };
}

let compiled: object | undefined;

/** A new one, with its own memory. */
export function newAssembly(): Assembly {
  compiled ??= new WebAssembly.Module(
    Uint8Array.from(atob(assemblyBytes), (character) => character.charCodeAt(0)),
  );
  return new WebAssembly.Instance(compiled, {}).exports as Assembly;
}

/** Whether a module trapped: ours does so only when it cannot get more memory. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError;
}
