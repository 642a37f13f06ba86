import {
  type ComparedTree,
  type Comparison,
  type ComparisonMeta,
  changeValue,
  type FunctionChanges,
  functionChanges,
  isStandardLibrary,
  layOut,
  sortedChanges,
} from "@flamekeep/flame/compare";
import { useMemo } from "react";
import {
  changeText,
  normalisationSentence,
  perText,
  type Scaling,
  scalingOf,
} from "#flame-graph/comparison/change-text.ts";
import { profileTypeLabel, shortFunctionName } from "#format/names.ts";
import { cx } from "#ui/cx.ts";
import type { Compare } from "./use-compare.ts";

/** Types whose values are waiting: every stack ends in the runtime. */
const waitingTypes = ["goroutine", "mutex", "block"];

interface SummaryProps {
  readonly comparison: Comparison;
  readonly meta: ComparisonMeta;
  readonly compare: Compare;
  readonly isStale: boolean;
}

/** The answer first: how much the whole changed, which function changed most, and how the sides were made comparable. */
export function Summary({ comparison, meta, compare, isStale }: SummaryProps) {
  const [normalisation] = meta.normalisations;
  const scaling = useMemo(
    () => scalingOf(comparison, meta, "absolute", normalisation),
    [comparison, meta, normalisation],
  );
  const tree = useMemo(() => layOut(comparison, scaling.scale), [comparison, scaling]);
  const [most, least] = useMemo(() => extremes(tree, waitingTypes.includes(meta.type)), [tree, meta.type]);
  const total = changeText(scaling, meta.before.total, meta.after.total);
  const hasValues = comparison.length > 1;
  const services = [...new Set([meta.before.service, meta.after.service])].join(" and ");
  return (
    <div className={cx("min-w-0 flex-1 basis-80 transition-opacity duration-150", isStale && "opacity-55")}>
      <h1 className="break-words font-semibold text-page tracking-tight">
        {services}: {profileTypeLabel(meta.type)}
        {hasValues && (
          <>
            {` ${total.before} → ${total.after}${perText(normalisation, meta)} `}
            <span className="text-muted">({total.percent})</span>
          </>
        )}
      </h1>
      <p>
        {most !== undefined && (
          <Extreme tree={tree} scaling={scaling} {...most} did="grew most" compare={compare} />
        )}
        {least !== undefined && (
          <Extreme tree={tree} scaling={scaling} {...least} did="shrank most" compare={compare} />
        )}
      </p>
      {hasValues && (
        <p className="text-label text-muted">
          {normalisationSentence(normalisation, meta)}
          {meta.noRequests !== null && meta.aggregation === "sum" && ` Not per request: ${meta.noRequests}.`}
        </p>
      )}
    </div>
  );
}

interface Changed {
  readonly fn: number;
  readonly before: number;
  readonly after: number;
}

/** The functions whose own value grew and shrank most; of waiting, the program's functions that wait, because all of it happens in the runtime. */
function extremes(tree: ComparedTree, isWaiting: boolean): [Changed | undefined, Changed | undefined] {
  const changes = functionChanges(tree);
  if (isWaiting) return [waiting(tree, changes, 1), waiting(tree, changes, -1)];
  const order = sortedChanges(tree, changes, { column: "selfChange", isDescending: true });
  const changed = (fn: number | undefined, sign: 1 | -1): Changed | undefined => {
    if (fn === undefined || sign * changeValue(changes, tree.scale, "selfChange", fn) <= 0) return undefined;
    return { fn, before: changes.selfBefore[fn]!, after: changes.selfAfter[fn]! };
  };
  return [changed(order[0], 1), changed(order.at(-1), -1)];
}

/** Callers of a function change about as much as the function itself. */
const nearlyAll = 0.95;

/** The innermost function outside of the standard library with the largest change of its total. */
function waiting(tree: ComparedTree, changes: FunctionChanges, sign: 1 | -1): Changed | undefined {
  const order = sortedChanges(tree, changes, { column: "totalChange", isDescending: sign === 1 });
  const change = (fn: number) => sign * changeValue(changes, tree.scale, "totalChange", fn);
  const own = [...order].filter(
    (fn) => change(fn) > 0 && !isStandardLibrary(tree.functions.packageName[fn]!),
  );
  const largest = own[0] === undefined ? 0 : change(own[0]);
  const size = (fn: number) => changes.totalBefore[fn]! + changes.totalAfter[fn]!;
  const fn = own.filter((each) => change(each) >= nearlyAll * largest).sort((x, y) => size(x) - size(y))[0];
  return fn === undefined
    ? undefined
    : { fn, before: changes.totalBefore[fn]!, after: changes.totalAfter[fn]! };
}

interface ExtremeProps extends Changed {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
  readonly did: string;
  readonly compare: Compare;
}

function Extreme({ tree, scaling, fn, before, after, did, compare }: ExtremeProps) {
  const name = tree.functions.name[fn]!;
  const text = changeText(scaling, before, after);
  return (
    <span className="mr-4">
      <button
        type="button"
        title={name}
        onClick={() => compare.change({ q: name })}
        className="font-mono text-accent-text text-code hover:underline"
      >
        {shortFunctionName(name)}
      </button>{" "}
      {did}: {text.change} <span className="text-muted">({text.percent})</span>
    </span>
  );
}
