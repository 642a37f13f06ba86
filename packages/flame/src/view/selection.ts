import type { CallTree } from "#tree/call-tree.ts";

export type Step = "parent" | "child" | "next" | "previous";

/** Siblings below this share of the zoomed frame, which fills the width, are skipped by the keyboard. */
const skippedShare = 0.001;

/** The node one step away in a direction; the same node if there is none. */
export function stepFrom(tree: CallTree, node: number, step: Step, zoomed = 0): number {
  const { firstChild, parent, width } = tree;
  const above = parent[node];
  const skippedBelow = skippedShare * width[zoomed];
  const isWorthwhile = (to: number) => width[to] >= skippedBelow || width[node] < skippedBelow;
  switch (step) {
    case "parent":
      return above === -1 ? node : above;
    case "child":
      return firstChild[node] < firstChild[node + 1] ? firstChild[node] : node;
    case "next":
      return above !== -1 && node + 1 < firstChild[above + 1] && isWorthwhile(node + 1) ? node + 1 : node;
    case "previous":
      return above !== -1 && node > firstChild[above] ? node - 1 : node;
  }
}
