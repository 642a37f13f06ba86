import { allocate } from "./memory";
import { mappingCount, mappings, stringCount } from "./outline";
import { skipVarint, varint } from "./varint";

/** Mappings are only checked: one whose id is taken, or that names no string, makes the profile invalid. */
export function checkMappings(): bool {
  const ids = allocate((<usize>mappingCount) << 3);
  for (let i = 0; i < mappingCount; i++) {
    const id = idOf(mappings + ((<usize>i) << 3));
    if (id === 0) return false;
    for (let j = 0; j < i; j++) if (load<u64>(ids + ((<usize>j) << 3)) === id) return false;
    store<u64>(ids + ((<usize>i) << 3), id);
  }
  return true;
}

/** 0 if the general reader must read the mapping. */
function idOf(span: usize): u64 {
  const end = <usize>load<u32>(span, 4);
  let id: u64 = 0;
  let pos = <usize>load<u32>(span);
  while (pos < end) {
    const tag = load<u8>(pos);
    const field = tag >>> 3;
    if ((tag & 7) !== 0 || field === 0 || field > 10) return 0;
    if (field === 1 || field === 5 || field === 6) {
      const number = varint(pos + 1);
      // File name and build id.
      if (number === 0 || (field !== 1 && number >>> 8 >= <u64>stringCount)) return 0;
      if (field === 1) id = number >>> 8;
      pos += 1 + <usize>(number & 0xff);
    } else {
      // Addresses, the offset in the file, and flags.
      pos = skipVarint(pos + 1);
      if (pos === 0) return 0;
    }
  }
  return pos === end ? id : 0;
}
