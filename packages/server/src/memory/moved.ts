import { move, transferableSymbol, valueSymbol } from "piscina";

/** `value` on its way to another thread, the memory of `views` moved instead of copied. */
export function moved<T>(value: T, views: readonly ArrayBufferView[]): T {
  const buffers = new Set(views.map((view) => view.buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  return move({ [transferableSymbol]: [...buffers], [valueSymbol]: value } as never) as T;
}
