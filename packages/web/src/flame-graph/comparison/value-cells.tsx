import { narrowCellClass } from "#flame-graph/rows/row-grid.tsx";
import { cx } from "#ui/cx.ts";
import { changeText, type Scaling } from "./change-text.ts";

interface ValueCellsProps {
  readonly scaling: Scaling;
  readonly before: number;
  readonly after: number;
  /** Hidden where only one change fits. */
  readonly isSecondary?: boolean;
}

/** A value before and after, and its change. */
export function ValueCells({ scaling, before, after, isSecondary = false }: ValueCellsProps) {
  const text = changeText(scaling, before, after, true);
  return (
    <>
      <td className={cx(narrowCellClass, "max-xl:hidden")}>{text.before}</td>
      <td className={cx(narrowCellClass, "max-xl:hidden")}>{text.after}</td>
      <td className={cx(narrowCellClass, isSecondary && "max-sm:hidden")}>
        {text.change}
        <span className="ml-2 inline-block w-14 text-label text-muted max-sm:hidden">
          {isSecondary || isOfBoth(text.percent) ? text.percent : ""}
        </span>
      </td>
    </>
  );
}

/** A function that both sides call can have a self value on one side only: it is neither new nor gone. */
function isOfBoth(percent: string): boolean {
  return percent !== "new" && percent !== "gone";
}
