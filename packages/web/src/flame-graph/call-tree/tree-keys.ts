export type TreeAction = "open" | "close" | "to callee" | "to caller" | "open siblings" | "nothing";

/** The action of a key on a row of a tree grid; undefined for keys that are not the tree's. */
export function treeActionOf(
  key: string,
  { isOpenable, isOpen }: { readonly isOpenable: boolean; readonly isOpen: boolean },
): TreeAction | undefined {
  switch (key) {
    case "ArrowRight":
      if (!isOpenable) return "nothing";
      return isOpen ? "to callee" : "open";
    case "ArrowLeft":
      return isOpenable && isOpen ? "close" : "to caller";
    case "*":
      return "open siblings";
    default:
      return undefined;
  }
}
