import {
  type CallTree,
  fullNames,
  functionNamed,
  functionNames,
  functionRef,
  shownName,
} from "@flamekeep/flame";
import {
  type ChangedFunction,
  type WhatChanged as Changes,
  type ComparisonMeta,
  callersOf,
  changePalette,
} from "@flamekeep/flame/compare";
import { type ReactNode, useState } from "react";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";
import { changeText, perText, type Scaling } from "#flame-graph/reading/change-text.ts";
import { NameText } from "#flame-graph/rows/name-text.tsx";
import { percentText, plural } from "#format/number.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { headline, isCancelledOut, listedAtFirst } from "./headline.ts";
import { useWhatChanged } from "./use-what-changed.ts";

export interface WhatChangedProps {
  /** Laid out at the scale of `scaling`. */
  readonly tree: CallTree;
  readonly meta: ComparisonMeta;
  readonly scaling: Scaling;
  /** The release between both sides. */
  readonly deploy?: ReactNode;
  /** The name by which a view refers to the selected function; empty for none. */
  readonly selected: string;
  /** A click on a function; an empty name on the selected one. */
  readonly onSelect: (name: string) => void;
  /** The pointer or the focus is on a function; an empty name when it leaves. */
  readonly onPoint?: (name: string) => void;
}

/** The functions that explain a comparison, the largest change first, with the share of each and the stack that leads to it. */
export function WhatChanged(props: WhatChangedProps) {
  const { tree, meta, scaling, deploy } = props;
  const changes = useWhatChanged(tree, meta.type);
  const [isWhole, setWhole] = useState(false);
  if (changes === undefined) return <WhatChangedSkeleton />;
  const { functions } = changes;
  const atFirst = listedAtFirst(changes);
  const listed = functions.slice(0, isWhole ? listedMax : atFirst);
  const per = scaling.changeUnit === undefined ? perText(meta.normalisations[0], meta) : "";
  return (
    <section aria-label="What changed" className="flex flex-col py-2">
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pb-1">
        <h2 className="font-semibold text-card">{headline(changes)}</h2>
        <p className="text-label text-muted">
          {sampleTypeLabel(tree.valueType.type)} by self value{per && `,${per}`}
          {isCancelledOut(changes) && ". Growth and decline cancel out in the total"}
          {deploy && <>. {deploy}</>}
        </p>
      </div>
      <ol onPointerLeave={() => props.onPoint?.("")}>
        {listed.map((changed) => (
          <li key={changed.fn}>
            <ChangedRow {...props} changed={changed} />
          </li>
        ))}
      </ol>
      {functions.length > atFirst && (
        <Button size="sm" variant="ghost" className="mx-2 self-start" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : moreText(functions.length)}
        </Button>
      )}
    </section>
  );
}

/** More are in the table of functions. */
const listedMax = 30;

function moreText(count: number): string {
  return count > listedMax ? `Show ${listedMax} of ${plural(count, "function")}` : `Show all ${count}`;
}

const kinds = {
  new: { text: "new", tone: "warning" },
  more: { text: "grew", tone: "warning" },
  gone: { text: "gone", tone: "ok" },
  less: { text: "shrank", tone: "ok" },
} as const satisfies Record<Changes["functions"][number]["kind"], unknown>;

interface ChangedRowProps extends Omit<WhatChangedProps, "deploy"> {
  readonly changed: ChangedFunction;
}

function ChangedRow({ tree, scaling, selected, onSelect, onPoint, changed }: ChangedRowProps) {
  const { fn, before, after, kind } = changed;
  const text = changeText(scaling, before, after);
  const ref = functionRef(tree.functions, fn);
  const isSelected = selected !== "" && functionNamed(tree, selected) === fn;
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      title={`${text.before} before, ${text.after} after`}
      onClick={() => onSelect(isSelected ? "" : ref)}
      onPointerEnter={() => onPoint?.(ref)}
      onFocus={() => onPoint?.(ref)}
      onBlur={() => onPoint?.("")}
      className="flex w-full items-center gap-4 px-4 py-1 text-left -outline-offset-2 hover:bg-surface-2 aria-pressed:bg-accent/12 max-md:min-h-11"
    >
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <NameText
            name={functionNames(tree.functions)[fn]!}
            fullName={shownName(fullNames(tree.functions)[fn]!)}
          />
          <Badge tone={kinds[kind].tone}>{kinds[kind].text}</Badge>
        </span>
        <Callers tree={tree} place={changed.place} />
      </span>
      <span className="flex shrink-0 items-center justify-end gap-x-4 tabular-nums max-sm:flex-col max-sm:items-end">
        <span className="whitespace-nowrap text-right">
          {text.change}
          <span className="ml-2 inline-block w-14 text-label text-muted max-sm:hidden">{text.percent}</span>
        </span>
        <Share changed={changed} />
      </span>
    </button>
  );
}

/** The stack above the frame that changed most, its end kept. */
function Callers({ tree, place }: { readonly tree: CallTree; readonly place: number }) {
  if (place === -1) return null;
  const names = functionNames(tree.functions);
  const path = callersOf(tree, place)
    .map((fn) => names[fn]!)
    .join(" › ");
  return (
    <span className="block h-4 min-w-0 truncate text-left text-label text-muted [direction:rtl]">
      <bdi dir="ltr">{path}</bdi>
    </span>
  );
}

/** The step of the palette for clear growth; as far below the middle, for decline. */
const growthStep = 6;
const declineStep = 2;

function Share({ changed: { share, change } }: Pick<ChangedRowProps, "changed">) {
  const { theme } = useThemeColours();
  const percent = percentText(100 * share);
  return (
    <span className="flex items-center gap-2 text-label text-muted">
      <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-badge bg-surface-2 max-sm:hidden">
        <span
          className="block h-full"
          style={{
            width: `${100 * share}%`,
            background: changePalette(theme)[change > 0 ? growthStep : declineStep],
          }}
        />
      </span>
      <span className="w-12 text-right">
        {percent}
        <span className="sr-only"> of the change</span>
      </span>
    </span>
  );
}

/** As high as the headline with three functions. */
export function WhatChangedSkeleton() {
  return (
    <div role="status" aria-label="Ranking the functions that changed" className="px-4 py-3">
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
