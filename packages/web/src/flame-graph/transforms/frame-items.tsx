import { type CallTree, functionRef, truncatedName } from "@flamekeep/flame";
import { chainOf, chainText, moduleOf, type Transform, withTransform } from "@flamekeep/flame/transform";
import { EyeOff, Filter, FilterX, FolderTree, PackageMinus, Repeat, UnfoldVertical } from "lucide-react";
import type { ReactNode } from "react";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";

export interface FrameItemsProps {
  readonly tree: CallTree;
  readonly node: number;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Steps for the function of a frame. */
export function FrameItems({ tree, node, text, onChange }: FrameItemsProps) {
  const { functions } = tree;
  const fn = tree.fn[node]!;
  const name = functions.name[fn]!;
  const packageName = functions.packageName[fn]!;
  const module = moduleOf(packageName, functions.file[fn]!);
  if (node === 0 || name === truncatedName) return null;
  const ofFunction = { by: "function", text: functionRef(functions, fn) } as const;
  const item = (transform: Transform, icon: ReactNode, label: string) => (
    <MenuItem onSelect={() => onChange(chainText(withTransform(chainOf(text), transform)))}>
      {icon}
      <span className="min-w-0 truncate">{label}</span>
    </MenuItem>
  );
  return (
    <>
      <MenuSeparator />
      {item({ name: "sandwich", target: ofFunction }, <UnfoldVertical />, "Show callers and callees")}
      {item({ name: "focus", target: ofFunction }, <Filter />, "Show only stacks through this function")}
      {item({ name: "ignore", target: ofFunction }, <FilterX />, "Exclude stacks through this function")}
      {item({ name: "hide", target: ofFunction }, <EyeOff />, "Hide this function")}
      {isRecursive(tree, node) &&
        item({ name: "collapse", target: ofFunction }, <Repeat />, "Collapse recursion of this function")}
      {packageName !== "" &&
        item(
          { name: "hide", target: { by: "package", text: packageName } },
          <PackageMinus />,
          "Hide its package",
        )}
      {module !== "" &&
        item(
          { name: "show", target: { by: "module", text: module } },
          <FolderTree />,
          `Only module ${module}`,
        )}
    </>
  );
}

/** Whether the function also occurs among the callers or callees of the frame. */
function isRecursive({ fn, parent, firstChild }: CallTree, node: number): boolean {
  for (let at = parent[node]!; at > 0; at = parent[at]!) if (fn[at] === fn[node]) return true;
  // On each level a subtree is one range of nodes.
  for (let from = firstChild[node]!, to = firstChild[node + 1]!; from < to; ) {
    for (let at = from; at < to; at++) if (fn[at] === fn[node]) return true;
    const next = firstChild[to]!;
    from = firstChild[from]!;
    to = next;
  }
  return false;
}
