import { readableLine } from "@flamekeep/contract";
import { CircleAlert, CircleCheck, Clock, File as FileIcon, FileUp, type LucideIcon } from "lucide-react";
import { Children, type ReactNode } from "react";
import { bytesMeasure, measureText } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { clockText, type Zone } from "#format/wall-time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { cx } from "#ui/cx.ts";
import type { FileState } from "./use-opening.ts";

/** A file of this computer, or one that was opened before. */
export type ListedFile = Pick<File, "name" | "size" | "lastModified">;

/** The parts of a row about a file. */
interface RowParts {
  /** The name, as a link. */
  readonly name: ReactNode;
  /** Lines below it. */
  readonly details: ReactNode;
}

interface FileRowsProps<F extends ListedFile, R> {
  readonly files: readonly F[];
  readonly stateOf: (file: F) => FileState<R>;
  readonly opened: (name: string, reply: R) => RowParts;
  /** Keeps a long list within the dialog, and the file that is being sent in sight. */
  readonly scrolls?: boolean;
}

/** The chosen files, with how many of them are opened, and the progress and the result of each. */
export function FileList<R>(props: FileRowsProps<File, R>) {
  const summary = summaryText(props.files, props.files.map(props.stateOf), useZone());
  return (
    <div className="flex flex-col gap-2">
      {summary !== undefined && <p role="status">{summary}</p>}
      <FileRows {...props} />
    </div>
  );
}

export function FileRows<F extends ListedFile, R>(props: FileRowsProps<F, R>) {
  const { files, stateOf, opened, scrolls = false } = props;
  return (
    <ul
      aria-label="Files"
      className={cx(
        "divide-y divide-line rounded-control border border-line",
        // The title, the fields and the buttons of the dialog fit next to it.
        scrolls &&
          "max-h-[max(10rem,calc(100dvh-36rem))] overflow-y-auto max-sm:max-h-[max(10rem,calc(100dvh-41rem))]",
      )}
    >
      {files.map((file) => {
        const state = stateOf(file);
        const isCurrent = state.is === "sending" || state.is === "delayed";
        return (
          <li
            key={fileKey(file)}
            ref={scrolls && isCurrent ? bringIntoView : undefined}
            className="flex scroll-my-10 flex-col gap-1 px-3 py-2"
          >
            <FileRow file={file} state={state} opened={opened} />
          </li>
        );
      })}
    </ul>
  );
}

export function fileKey({ name, size, lastModified }: ListedFile): string {
  return `${name} ${size} ${lastModified}`;
}

/** React calls it once when a row becomes the current one, so that people can scroll meanwhile. */
function bringIntoView(row: HTMLLIElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}

/** `12 of 20 opened, 1 refused. The next is sent at 14:03:20.` One file says it in its row. */
function summaryText(
  files: readonly ListedFile[],
  states: readonly FileState<unknown>[],
  zone: Zone,
): string | undefined {
  const countOf = (is: FileState<unknown>["is"]) => states.filter((state) => state.is === is).length;
  const [opened, refused] = [countOf("opened"), countOf("refused")];
  if (files.length === 1 && refused === 0) return undefined;
  if (countOf("waiting") === files.length)
    return `${measureText(bytesMeasure(files.reduce((sum, { size }) => sum + size, 0)))} in all`;
  if (opened === 0 && refused === files.length) return `${plural(refused, "file")} could not be opened`;
  const refusedText = refused === 0 ? "" : `, ${refused} refused`;
  if (opened + refused === files.length) return `${plural(opened, "file")} opened${refusedText}`;
  const delayed = states.find((state) => state.is === "delayed");
  const next = delayed && `. The next is sent at ${clockText(delayed.atMs, zone, true)}.`;
  return `${opened} of ${files.length} opened${refusedText}${next ?? ""}`;
}

const icons: Record<FileState<unknown>["is"], readonly [LucideIcon, color: string]> = {
  waiting: [FileIcon, "text-muted"],
  sending: [FileUp, "text-accent-text"],
  delayed: [Clock, "text-muted"],
  opened: [CircleCheck, "text-ok"],
  refused: [CircleAlert, "text-critical-text"],
};

interface FileRowProps<R> extends Pick<FileRowsProps<File, R>, "opened"> {
  readonly file: ListedFile;
  readonly state: FileState<R>;
}

function FileRow<R>({ file, state, opened }: FileRowProps<R>) {
  const name = readableLine(file.name);
  const [Icon, color] = icons[state.is];
  const parts =
    state.is === "opened"
      ? opened(name, state.reply)
      : { name: <FileName name={name} />, details: <Detail name={name} state={state} /> };
  return (
    <>
      <span className="flex items-center gap-2">
        <Icon aria-hidden className={cx("size-4 shrink-0", color)} strokeWidth={1.75} />
        {parts.name}
        <span className="shrink-0 text-label text-muted">{measureText(bytesMeasure(file.size))}</span>
      </span>
      {Children.map(parts.details, (detail) => (
        <span className="pl-6 text-label text-muted empty:hidden">{detail}</span>
      ))}
    </>
  );
}

function FileName({ name }: { readonly name: string }) {
  return (
    <span className="min-w-0 flex-1 truncate" title={name}>
      {name}
    </span>
  );
}

interface DetailProps {
  readonly name: string;
  readonly state: FileState<unknown>;
}

function Detail({ name, state }: DetailProps) {
  const zone = useZone();
  if (state.is === "sending") return <Progress name={name} fraction={state.fraction} />;
  if (state.is === "delayed")
    return (
      <span className="[overflow-wrap:anywhere]">
        {state.cause}. Sent again at {clockText(state.atMs, zone, true)}.
      </span>
    );
  if (state.is === "refused")
    return <span className="text-critical-text [overflow-wrap:anywhere]">{state.reason}</span>;
  return null;
}

function Progress({ name, fraction }: { readonly name: string; readonly fraction: number }) {
  const percent = Math.round(100 * fraction);
  return (
    <span className="flex items-center gap-2">
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
