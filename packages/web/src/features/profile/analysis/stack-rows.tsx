import type { Frame } from "@flamekeep/contract";
import { type ReactNode, useId, useState } from "react";
import type { SeriesColor } from "#charts/model/colours.ts";
import { plural } from "#format/number.ts";
import { FunctionName } from "#ui/content/function-name.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";

export interface StackRow {
  readonly id: string;
  /** The line that the row is about; null for an empty stack. */
  readonly at: Frame | null;
  readonly badges: ReactNode;
  /** More about the row, in its second line. */
  readonly about: ReactNode;
  /** Length of the bar. */
  readonly amount: number;
  readonly value: ReactNode;
  readonly detail: ReactNode;
  /** Leaf first. */
  readonly stack: readonly Frame[];
}

interface StackRowsProps {
  readonly label: string;
  readonly rows: readonly StackRow[];
  /** Number of all rows. The server sends only the largest. */
  readonly total: number;
  readonly color: SeriesColor;
  readonly onFind: (functionName: string) => void;
}

const shownAtFirst = 12;

/** Lines of code with a bar each, which open to show their stack. */
export function StackRows({ label, rows, total, color, onFind }: StackRowsProps) {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, shownAtFirst);
  const longest = rows.reduce((most, { amount }) => Math.max(most, amount), 0) || 1;
  const unsent = total - rows.length;
  return (
    <>
      <ol aria-label={label} className="flex flex-col gap-1">
        {shown.map((row) => (
          <Row key={row.id} row={row} share={row.amount / longest} color={color} onFind={onFind} />
        ))}
      </ol>
      {rows.length > shown.length && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => setIsAll(true)}>
          Show all {rows.length}
        </Button>
      )}
      {isAll && unsent > 0 && (
        <p className="mt-2 text-label text-muted">{plural(unsent, "smaller one")} not shown.</p>
      )}
    </>
  );
}

interface RowProps extends Pick<StackRowsProps, "color" | "onFind"> {
  readonly row: StackRow;
  readonly share: number;
}

function Row({ row, share, color, onFind }: RowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const stackId = useId();
  return (
    <li className="overflow-hidden rounded-control border border-line">
      <div className="relative flex items-start gap-2 py-2 pr-3 pl-1.5">
        <span
          aria-hidden
          className="absolute inset-y-0 left-0 opacity-14"
          style={{ width: `${Math.max(0, share * 100)}%`, background: `var(--${color})` }}
        />
        <ExpandButton
          content="the stack"
          contentId={stackId}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
          className="relative"
        />
        <div className="relative flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              {row.at === null ? (
                <span className="text-muted">No stack</span>
              ) : (
                <FunctionName name={row.at.function_name} onFind={onFind} />
              )}
              {row.badges}
            </p>
            <p className="truncate text-label text-muted">
              {row.at && (
                <span title={row.at.file_name}>
                  {placeOf(row.at)}
                  {row.about && " · "}
                </span>
              )}
              {row.about}
            </p>
          </div>
          <div className="text-right max-sm:flex max-sm:w-full max-sm:items-baseline max-sm:gap-2">
            <p className="font-medium">{row.value}</p>
            <p className="text-label text-muted">{row.detail}</p>
          </div>
        </div>
      </div>
      <StackFrames id={stackId} isOpen={isOpen} frames={row.stack} onFind={onFind} />
    </li>
  );
}

interface StackFramesProps extends Pick<StackRowsProps, "onFind"> {
  readonly id: string;
  readonly isOpen: boolean;
  readonly frames: readonly Frame[];
}

function StackFrames({ id, isOpen, frames, onFind }: StackFramesProps) {
  return (
    <ol
      id={id}
      hidden={!isOpen}
      aria-label="Stack, leaf first"
      className="border-line border-t bg-bg px-3 py-2"
    >
      {frames.map((frame, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stack never changes, and a frame may occur twice in it
        <li key={level} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <FunctionName name={frame.function_name} onFind={onFind} />
          <span className="text-label text-muted" title={frame.file_name}>
            {placeOf(frame)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** `suggest.go:49`; the whole path is shown on hover. Empty if the profile has no files. */
function placeOf({ file_name: file, line_number: line }: Frame): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return line > 0 && name !== "" ? `${name}:${line}` : name;
}
