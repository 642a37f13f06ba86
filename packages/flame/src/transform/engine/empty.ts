import type { Frames } from "./frames.ts";

/** Drops the staying nodes that have no values left, neither self values nor below. Changes `host`; the root stays. */
export function dropEmpty({ length, parent, self, elisions }: Frames, host: Int32Array): Int32Array {
  const isLeft = new Uint8Array(length);
  isLeft[0] = 1;
  for (const column of self)
    for (let node = 1; node < length; node++)
      if (column[node] !== 0 && host[node] !== -1) isLeft[host[node]] = 1;
  for (const node of elisions.node) if (host[node] !== -1) isLeft[host[node]] = 1;
  for (let node = length - 1; node > 0; node--)
    if (host[node] === node && isLeft[node] === 1) isLeft[host[parent[node]]] = 1;
  for (let node = 1; node < length; node++) if (host[node] === node && isLeft[node] === 0) host[node] = -1;
  return host;
}
