/** A function between its callers and what it calls, from a graph by line. */
import type { CallTree } from "@flamekeep/flame";
import { truncatedName } from "@flamekeep/profile";
import { lineOfName } from "./line-values.ts";
import { percentOf, placeText, printableName, quantityText } from "./quantity.ts";

interface Options {
  readonly unit: string;
  /** Callers, callees and lines each. */
  readonly limit: number;
}

interface Relative {
  readonly text: string;
  readonly value: number;
}

/** The value of the stacks through the functions, by caller with the line of the call, by line, and by callee. */
export function relativesText(
  tree: CallTree,
  isWanted: (name: string) => boolean,
  { unit, limit }: Options,
): string {
  const { functions, fn, parent, total, self, firstChild, length } = tree;
  const wanted = functions.name.map((name, id) => id > 0 && isWanted(lineOfName(name).name));
  const [inside, names] = [new Uint8Array(length), new Set<string>()];
  const [callers, lines, callees] = [new Values(), new Values(), new Values()];
  const sums = { self: 0, total: 0 };
  for (let node = 1; node < length; node++) {
    const above = parent[node]!;
    inside[node] = inside[above]!;
    if (!wanted[fn[node]!]) continue;
    const { name, line } = lineOfName(functions.name[fn[node]!]!);
    names.add(`${printableName(name)}${placeText(functions.file[fn[node]!]!, 0)}`);
    sums.self += self[node]!;
    lines.add(line === 0 ? "unknown line" : `line ${line}`, self[node]!);
    // Recursion counts once, as in the total of a function.
    if (inside[node] === 0) {
      sums.total += total[node]!;
      callers.add(above === 0 ? "(nothing calls it)" : callerText(tree, fn[above]!), total[node]!);
    }
    inside[node] = 1;
    for (let child = firstChild[node]!; child < firstChild[node + 1]!; child++) {
      const callee = lineOfName(functions.name[fn[child]!]!);
      if (callee.name === truncatedName || wanted[fn[child]!]) continue;
      callees.add(
        `${printableName(callee.name)}${line === 0 ? "" : `, called in line ${line}`}`,
        total[child]!,
      );
    }
  }
  const whole = total[0]!;
  const valueText = (value: number) => `${percentOf(value, whole)} ${quantityText(value, unit)}`;
  const list = (title: string, values: Values) => [
    `${title}:`,
    ...values.largest(limit).map(({ text, value }) => `  ${valueText(value)}  ${text}`),
  ];
  return [
    ...[...names].slice(0, limit),
    `total ${valueText(sums.total)}, self ${valueText(sums.self)}`,
    ...list("callers", callers),
    ...list("its lines (self)", lines),
    ...list("callees", callees),
  ].join("\n");
}

function callerText({ functions }: CallTree, id: number): string {
  const { name, line } = lineOfName(functions.name[id]!);
  return `${printableName(name)}${placeText(functions.file[id]!, line)}`;
}

class Values {
  readonly #values = new Map<string, number>();

  add(text: string, value: number): void {
    this.#values.set(text, (this.#values.get(text) ?? 0) + value);
  }

  largest(count: number): readonly Relative[] {
    return Array.from(this.#values, ([text, value]) => ({ text, value }))
      .filter(({ value }) => value !== 0)
      .toSorted((a, b) => b.value - a.value)
      .slice(0, count);
  }
}
