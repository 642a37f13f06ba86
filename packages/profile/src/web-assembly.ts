/** In every runtime, though not in the es2024 library. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};
declare function atob(base64: string): string;

/** What packages/profile/assembly/index.ts exports. */
export interface Assembly {
  readonly memory: { readonly buffer: ArrayBuffer };
  prepare(bytes: number): number;
  read(start: number, bytes: number): number;
  result(): number;
}

export function assemblyOf(base64: string): Assembly {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const abort = () => {
    throw new Error("the memory of the profile reader is used up");
  };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { abort } });
  return instance.exports as Assembly;
}
