/**
 * Functions as the developer knows them. Go compiles the body of a loop over an iterator into a separate function,
 * and names a function literal after the function into which it was inlined:
 *
 *     (*box).parse                                    box.go
 *       (*box).parse.SplitSeq.splitSeq.func1          strings/iter.go   a literal of package strings, inlined
 *         (*box).parse-range1                         box.go            the body of the loop: (*box).parse
 *
 * Names are hostile: each function here looks at a bounded number of prefixes.
 */

const body = "-range";
const literal = /\.func\d/;
const prefixesMax = 32;

/**
 * For each function, the index of the one that its loop body belongs to: the longest prefix that is a function of the
 * same file. Functions that are no loop body, or whose function is not in the profile, are their own.
 */
export function loopOwners(ids: ReadonlyMap<string, number>, files: readonly string[]): Uint32Array {
  const owners = Uint32Array.from(files, (_, id) => id);
  for (const [name, id] of ids) {
    const first = name.indexOf(body);
    if (first < 0) continue;
    let end = first;
    for (let turn = 0; turn < prefixesMax && end > 0; turn++) {
      const owner = ids.get(name.slice(0, end));
      if (owner !== undefined && files[owner] === files[id]) {
        owners[id] = owner;
        break;
      }
      end = name.lastIndexOf(".", end - 1);
    }
  }
  return owners;
}

/** A name in the package that the source file of a function literal belongs to; the literal's own name says where it is inlined. */
export function nameInPackageOfFile(name: string, file: string): string {
  const slash = file.lastIndexOf("/");
  return slash > 0 && literal.test(name) ? `${file.slice(0, slash)}.literal` : name;
}
