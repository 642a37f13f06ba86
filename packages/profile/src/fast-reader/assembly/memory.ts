/** Working memory of one reading: handed out in order, all given back at the next. */
let top: usize = 0;

export function reset(): void {
  top = (__heap_base + 7) & ~7;
}

/** Where the next allocation begins. */
export function used(): usize {
  return top;
}

/** Not zeroed. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (top + bytes + 7) & ~7;
  ensure(top);
  return at;
}

export function allocateZeros(bytes: usize): usize {
  const at = allocate(bytes);
  memory.fill(at, 0, bytes);
  return at;
}

/** The last allocation was filled up to `end`, for which there is room. */
export function claim(end: usize): void {
  top = (end + 7) & ~7;
}

/** Makes room for the last allocation to grow. */
export function ensure(end: usize): void {
  const pages = memory.size();
  const needed = <i32>((end + 0xffff) >>> 16);
  // By a quarter at least: a list that grows word by word must not copy memory each time.
  if (needed <= pages || memory.grow(max(needed - pages, pages >>> 2)) >= 0) return;
  if (memory.grow(needed - pages) < 0) unreachable();
}
