import type { CallTree } from "@flamekeep/flame";

/** Functions stay as they are in every transform, and are slow to transfer: a reply leaves them out. */
export type Columns = Omit<CallTree, "functions">;

export type Request =
  | { readonly do: "load"; readonly source: CallTree }
  | { readonly do: "transform"; readonly text: string };

export type Reply =
  | {
      readonly ok: true;
      readonly text: string;
      readonly shown: Columns;
      readonly callers: Columns | null;
    }
  | { readonly ok: false; readonly message: string };

/** The memory of a graph, to be moved rather than copied. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}
