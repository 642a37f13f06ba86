import { CircleAlert, CircleCheck } from "lucide-react";
import { Children, type ReactNode } from "react";
import { bytesMeasure, measureText } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { cx } from "#ui/cx.ts";
import type { FileState } from "./use-opening.ts";

/** The parts of a row about an opened file. */
interface OpenedParts {
  /** The name, as a link. */
  readonly name: ReactNode;
  /** Lines below it. */
  readonly details: readonly ReactNode[];
}

interface FileRowsProps<R> {
  readonly files: readonly File[];
  readonly stateOf: (file: File) => FileState<R>;
  readonly opened: (file: File, reply: R) => OpenedParts;
  /** Keeps a long list within half of the window. */
  readonly scrolls?: boolean;
}

/** The chosen files, with the progress and the result of each. */
export function FileRows<R>({ files, stateOf, opened, scrolls = false }: FileRowsProps<R>) {
  return (
    <ul
      aria-label="Files"
      aria-live="polite"
      className={cx(
        "divide-y divide-line rounded-control border border-line",
        scrolls && "max-h-[50dvh] overflow-y-auto",
      )}
    >
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} className="flex flex-col gap-1 px-3 py-2">
          <FileRow file={file} state={stateOf(file)} opened={opened} />
        </li>
      ))}
    </ul>
  );
}

interface FileRowProps<R> extends Pick<FileRowsProps<R>, "opened"> {
  readonly file: File;
  readonly state: FileState<R>;
}

function FileRow<R>({ file, state, opened }: FileRowProps<R>) {
  const { name, size } = file;
  const length = <span className="shrink-0 text-label text-muted">{measureText(bytesMeasure(size))}</span>;
  if (state.is === "opened") {
    const parts = opened(file, state.reply);
    return (
      <>
        <span className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" strokeWidth={1.75} />
          {parts.name}
          {length}
        </span>
        {Children.map(parts.details, (detail) => (
          <span className="pl-6 text-label text-muted">{detail}</span>
        ))}
      </>
    );
  }
  return (
    <>
      <span className="flex items-center gap-2">
        {state.is === "refused" && (
          <CircleAlert aria-hidden className="size-4 shrink-0 text-critical-text" strokeWidth={1.75} />
        )}
        <span className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </span>
        {length}
      </span>
      {state.is === "sending" && <Progress name={name} fraction={state.fraction} />}
      {state.is === "delayed" && (
        <span className="text-label text-muted [overflow-wrap:anywhere]">
          Sent again in {plural(state.seconds, "second")}. {state.reason}
        </span>
      )}
      {state.is === "refused" && (
        <span className="pl-6 text-critical-text text-label [overflow-wrap:anywhere]">{state.reason}</span>
      )}
    </>
  );
}

function Progress({ name, fraction }: { readonly name: string; readonly fraction: number }) {
  const percent = Math.round(100 * fraction);
  return (
    <span className="flex items-center gap-2 text-label text-muted">
      <span
        role="progressbar"
        aria-label={`Upload of ${name}`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 flex-1 overflow-hidden rounded-full bg-surface-2"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      {percent < 100 ? `${percent}%` : "Reading..."}
    </span>
  );
}
