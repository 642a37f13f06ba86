import type { CallTree } from "@flamekeep/flame";
import { changeLegend, largestSelfChange, selfChangeParts } from "@flamekeep/flame/compare";
import { type ReactNode, useMemo } from "react";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";
import { cx } from "#ui/cx.ts";
import { differenceText, type Scaling } from "./change-text.ts";

interface SelfLegendProps {
  readonly tree: CallTree;
  readonly scaling: Scaling;
  readonly profileType: string;
}

/** A comparison cannot be read without the meaning of its colours. */
export function SelfLegend({ tree, scaling, profileType }: SelfLegendProps) {
  const largest = useMemo(() => largestSelfChange(tree, profileType), [tree, profileType]);
  const amounts = [0, ...selfChangeParts.map((part) => part * largest)];
  const textOf = (step: number) => {
    const amount = amounts[Math.abs(step)]!;
    return step === 0 || largest === 0 ? "0" : differenceText(scaling, step < 0 ? -amount : amount);
  };
  return (
    <Legend labelOf={(at) => (at % 4 === 0 ? textOf(at - 4) : "")}>
      {largest === 0
        ? "No frame's self value changed."
        : `Color shows the change of a frame's self value: blue is less, orange is more. The strongest color is at least half of the largest change; gray is less than ${textOf(1).slice(1)}.`}
    </Legend>
  );
}

/** @param isRelative whether frames are compared by their shares of each side's total */
export function TotalLegend({ isRelative }: { readonly isRelative: boolean }) {
  return (
    <Legend labelOf={(_, label) => label}>
      Color shows the change of a frame's total{isRelative && ", as a share of its side's total"}: blue is
      less, gray is equal, orange is more.
      {isRelative && " The root is 100% on both sides, so it is gray."}
    </Legend>
  );
}

interface LegendProps {
  /** The text under a color. @param label of a change by ratio */
  readonly labelOf: (at: number, label: string) => string;
  readonly children: ReactNode;
}

function Legend({ labelOf, children }: LegendProps) {
  const { theme } = useThemeColours();
  return (
    <div className="flex min-w-0 flex-1 items-center gap-x-3 gap-y-1 text-label max-lg:basis-full max-lg:flex-wrap">
      <ol className="flex shrink-0" aria-label="Colors from less to more">
        {changeLegend(theme).map(({ label, colour }, at) => (
          <li
            key={label}
            className={cx(
              "flex w-11 flex-col gap-0.5 max-sm:w-9",
              // The labels of the ends are wider than their colours.
              at === 0 ? "items-start" : at === 8 ? "items-end" : "items-center",
            )}
          >
            <svg aria-hidden="true" className="h-2.5 w-full" viewBox="0 0 1 1" preserveAspectRatio="none">
              <rect width="1" height="1" fill={colour} />
            </svg>
            <span className="h-4 whitespace-nowrap text-muted max-sm:text-[0.625rem]">
              {labelOf(at, label)}
            </span>
          </li>
        ))}
      </ol>
      <span className="min-w-0 text-muted">{children}</span>
    </div>
  );
}
