/** The last part of a Go symbol: `encoding/json.(*Decoder).Decode` -> `json.(*Decoder).Decode`. */
export function shortFunctionName(name: string): string {
  const typeArguments = name.indexOf("[");
  const head = typeArguments === -1 ? name : name.slice(0, typeArguments);
  return name.slice(head.lastIndexOf("/") + 1);
}
