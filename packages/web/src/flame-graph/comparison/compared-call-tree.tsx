import type { ComparedTree } from "@flamekeep/flame/compare";
import { CallTreeGrid, type CallTreeGridProps } from "#flame-graph/call-tree/call-tree-grid.tsx";
import type { Scaling } from "./change-text.ts";
import { ValueCells } from "./value-cells.tsx";

type ComparedCallTreeProps = Omit<CallTreeGridProps, "tree" | "heads" | "values" | "leftOutValues"> & {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
};

const heads = [
  { label: "Before", className: "max-xl:hidden w-27 px-2.5" },
  { label: "After", className: "max-xl:hidden w-27 px-2.5" },
  { label: "Change", className: "w-30 px-2 sm:w-48 sm:pr-4 sm:pl-2.5" },
];

/** The call tree of a comparison: values with their callees. */
export function ComparedCallTree({ scaling, ...props }: ComparedCallTreeProps) {
  const { before, after } = props.tree;
  return (
    <CallTreeGrid
      {...props}
      heads={heads}
      values={(node) => (
        <ValueCells scaling={scaling} before={before.total[node]!} after={after.total[node]!} />
      )}
      // Their widths have both sides in one.
      leftOutValues={() => <td colSpan={heads.length} />}
    />
  );
}
