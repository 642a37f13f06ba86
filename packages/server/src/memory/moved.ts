import { move, transferableSymbol, valueSymbol } from "piscina";

/** Wraps a message for another thread so that the memory of `views` is moved instead of copied. */
export function moved<T>(value: T, views: readonly ArrayBufferView[]): T {
  const buffers = new Set(views.map((view) => view.buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  return move({ [transferableSymbol]: [...buffers], [valueSymbol]: value } as never) as T;
}
