import { type CallTree, totalsByOwner } from "@flamekeep/flame";
import { sourcePath } from "@flamekeep/profile";
import { lineOfName } from "./line-values.ts";
import { percentOf, printableName, quantityText } from "./quantity.ts";

interface FileOptions {
  readonly profileType: string;
  /** Its path, or the end of it. */
  readonly file: string;
  readonly minPercent: number;
  readonly unit: string;
}

const filesNamed = 10;

/** The lines of the files whose path ends with the given one, from a graph by line. */
export function fileText(tree: CallTree, { profileType, file, minPercent, unit }: FileOptions): string {
  const { functions } = tree;
  const { self, total, frames } = totalsByOwner(tree, profileType)[0]!;
  const used = Uint32Array.from(functions.name.keys()).filter((id) => id > 0 && frames[id]! > 0);
  const found = used.filter((id) => endsWithPath(functions.file[id]!, file));
  if (found.length === 0) return noFile(tree, used, self, file);
  const whole = tree.total[0]!;
  const paths = [...new Set(Array.from(found, (id) => functions.file[id]!))];
  return paths
    .flatMap((path) => {
      const lines = Array.from(found)
        .filter((id) => functions.file[id] === path && 100 * total[id]! >= minPercent * whole)
        .map((id) => ({ id, ...lineOfName(functions.name[id]!) }))
        .toSorted((a, b) => a.line - b.line);
      return [
        `${printableName(path)}:`,
        ...lines.map(({ id, name, line }) => {
          const value = `total ${percentOf(total[id]!, whole)} ${quantityText(total[id]!, unit)}`;
          const own =
            self[id]! === 0 ? "" : `, self ${percentOf(self[id]!, whole)} ${quantityText(self[id]!, unit)}`;
          return `  ${line === 0 ? "?" : line}: ${value}${own}  ${printableName(name)}`;
        }),
      ];
    })
    .join("\n");
}

/** Whether a path of a build is the given one, which may have fewer or more folders above it. */
function endsWithPath(path: string, wanted: string): boolean {
  const [one, other] = [path, wanted].map((text) => `/${sourcePath(text).replace(/^[./]+/, "")}`);
  return one === other || one!.endsWith(other!) || (one !== "/" && other!.endsWith(one!));
}

function noFile({ functions }: CallTree, used: Uint32Array, self: Float64Array, file: string): string {
  const byFile = new Map<string, number>();
  for (const id of used) {
    const path = functions.file[id]!;
    if (path !== "") byFile.set(path, (byFile.get(path) ?? 0) + self[id]!);
  }
  const hottest = [...byFile].toSorted(([, a], [, b]) => b - a).slice(0, filesNamed);
  return [
    `No frame of this profile is in ${JSON.stringify(printableName(file))}. Files with the largest self values:`,
    ...hottest.map(([path]) => `  ${printableName(path)}`),
  ].join("\n");
}
