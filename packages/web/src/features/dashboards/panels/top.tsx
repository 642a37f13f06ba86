import {
  type CallTree,
  formatPercent,
  formatValue,
  fullNames,
  functionNames,
  sortedFunctions,
  totalsByOwner,
  wholeOf,
} from "@flamekeep/flame";
import { useMemo } from "react";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { typeColor } from "#charts/model/colours.ts";
import { profileTypeLabel } from "#format/names.ts";
import { FunctionName } from "#ui/content/function-name.tsx";
import { GraphOfPanel } from "./graph-of-panel.tsx";
import type { PanelProps } from "./panel-parts.tsx";

const listed = 8;

/** The functions with the largest self value. */
export function TopPanel({ panel, ...scope }: PanelProps<"top">) {
  const { type } = panel;
  return (
    <GraphOfPanel {...scope} type={type} skeletonClass="h-80" errorTitle="Could not load the functions">
      {({ tree }) => <TopFunctions tree={tree} type={type} />}
    </GraphOfPanel>
  );
}

interface TopFunctionsProps {
  readonly tree: CallTree;
  readonly type: PanelProps<"top">["panel"]["type"];
}

function TopFunctions({ tree, type }: TopFunctionsProps) {
  const rows = useMemo(() => topRows(tree, type), [tree, type]);
  return (
    <div className="px-4 pb-4">
      <BarList label={`Hottest functions, ${profileTypeLabel(type)}`} rows={rows} />
    </div>
  );
}

function topRows(tree: CallTree, type: TopFunctionsProps["type"]): BarRow[] {
  const totals = totalsByOwner(tree, type);
  const self = totals[0]!.self;
  const color = typeColor(type);
  const functions = sortedFunctions(tree, totals, { value: "self", of: 0 }, true).slice(0, listed);
  return [...functions]
    .filter((fn) => self[fn]! > 0)
    .map((fn) => ({
      id: String(fn),
      name: <FunctionName name={fullNames(tree.functions)[fn]!} label={functionNames(tree.functions)[fn]!} />,
      amount: self[fn]!,
      value: formatPercent(self[fn]!, wholeOf(tree)),
      detail: formatValue(self[fn]!, tree.valueType.unit),
      color,
    }));
}
