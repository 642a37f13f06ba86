import {
  type CallTree,
  functionNames,
  functionValue,
  shownName,
  sortedFunctions,
  totalsByOwner,
} from "@flamekeep/flame";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { useMemo } from "react";
import { bringIntoView, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import {
  changeText,
  normalisationSentence,
  perText,
  type Scaling,
  scalingOf,
  wholeLayout,
} from "#flame-graph/reading/change-text.ts";
import { profileTypeLabel } from "#format/names.ts";
import { cx } from "#ui/cx.ts";
import { isComparable } from "./model.ts";
import type { Compare } from "./use-compare.ts";

interface SummaryProps {
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  readonly compare: Compare;
  readonly isStale: boolean;
}

/** The result in three lines: how much the total changed, which functions changed most, and how the sides were made comparable. */
export function Summary({ comparison, meta, compare, isStale }: SummaryProps) {
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, "absolute", normalisation),
    [comparison, meta, normalisation],
  );
  const tree = useMemo(() => wholeLayout(comparison, scaling.scale), [comparison, scaling]);
  const { most, least } = useMemo(() => extremesOf(tree, meta.type), [tree, meta.type]);
  const total = changeText(scaling, meta.before.total, meta.after.total);
  const isCompared = isComparable(comparison, meta);
  const services = [...new Set([meta.before.service, meta.after.service])].join(" and ");
  return (
    <div className={cx("min-w-0 flex-1 basis-80 transition-opacity duration-150", isStale && "opacity-55")}>
      <h1 className="break-words font-semibold text-page tracking-tight">
        {services}: {profileTypeLabel(meta.type)}
        {isCompared && (
          <>
            {` ${total.before} → ${total.after}${perText(normalisation, meta)} `}
            <span className="text-muted">({total.percent})</span>
          </>
        )}
      </h1>
      {isCompared && (
        <p>
          {most !== undefined && (
            <FunctionChange tree={tree} scaling={scaling} {...most} label="grew most" compare={compare} />
          )}
          {least !== undefined && (
            <FunctionChange tree={tree} scaling={scaling} {...least} label="shrank most" compare={compare} />
          )}
        </p>
      )}
      {isCompared && (
        <p className="text-label text-muted">
          {normalisationSentence(normalisation, meta)}
          {meta.noRequests !== null && meta.aggregation === "sum" && ` Not per request: ${meta.noRequests}.`}
        </p>
      )}
    </div>
  );
}

interface FunctionChangeProps extends ChangedFunction {
  readonly tree: CallTree;
  readonly scaling: Scaling;
  readonly label: string;
  readonly compare: Compare;
}

function FunctionChange({ tree, scaling, fn, before, after, label, compare }: FunctionChangeProps) {
  const name = tree.functions.name[fn]!;
  const text = changeText(scaling, before, after);
  return (
    <span className="mr-4">
      <button
        type="button"
        title={shownName(name)}
        onClick={() => {
          compare.changeView(viewOfFunction(compare.view, name));
          bringIntoView(name);
        }}
        className="font-mono text-accent-text text-code hover:underline"
      >
        {functionNames(tree.functions)[fn]}
      </button>{" "}
      {label}: {text.change} <span className="text-muted">({text.percent})</span>
    </span>
  );
}

/** A function with its measured self values. */
interface ChangedFunction {
  readonly fn: number;
  readonly before: number;
  readonly after: number;
}

interface Extremes {
  readonly most: ChangedFunction | undefined;
  readonly least: ChangedFunction | undefined;
}

const selfChange = { value: "self", of: 1, minus: 0 } as const;

/** The functions whose self value grew and shrank most; of waits, the functions that wait. */
export function extremesOf(tree: CallTree, profileType: string): Extremes {
  const totals = totalsByOwner(tree, profileType);
  const [before, after] = totals;
  const order = sortedFunctions(tree, totals, selfChange, true);
  const changed = (fn: number | undefined, sign: 1 | -1): ChangedFunction | undefined => {
    if (fn === undefined || sign * functionValue(totals, tree.scale, selfChange, fn) <= 0) return undefined;
    return { fn, before: before!.self[fn]!, after: after!.self[fn]! };
  };
  return { most: changed(order[0], 1), least: changed(order.at(-1), -1) };
}
