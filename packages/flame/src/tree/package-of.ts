/**
 * Package of a Go function name: everything before the first dot after the last slash, type arguments aside.
 *
 * ```
 * net/http.(*conn).serve                 -> net/http
 * slices.Sort[go.shape.[]example.com/x]  -> slices
 * libc.so.6!0x1f2a                       -> libc.so.6
 * ```
 */
export function packageOf(functionName: string): string {
  const bang = functionName.indexOf("!0x");
  if (bang > 0) return functionName.slice(0, bang);
  const bracket = functionName.indexOf("[");
  const plain = bracket === -1 ? functionName : functionName.slice(0, bracket);
  const dot = plain.indexOf(".", plain.lastIndexOf("/") + 1);
  return dot === -1 ? "" : plain.slice(0, dot);
}
