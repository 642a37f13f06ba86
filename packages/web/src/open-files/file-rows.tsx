import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import { bytesMeasure, measureText } from "#format/measure.ts";
import { type FileState, recognizedText } from "./use-opening.ts";

interface FileRowsProps {
  readonly files: readonly File[];
  readonly stateOf: (file: File) => FileState;
  readonly onLeave: () => void;
}

/** The chosen files, with the progress and the result of each. */
export function FileRows({ files, stateOf, onLeave }: FileRowsProps) {
  return (
    <ul
      aria-label="Files"
      aria-live="polite"
      className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-control border border-line"
    >
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} className="flex flex-col gap-1 px-3 py-2">
          <FileRow file={file} state={stateOf(file)} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  );
}

interface FileRowProps extends Pick<FileRowsProps, "onLeave"> {
  readonly file: File;
  readonly state: FileState;
}

function FileRow({ file, state, onLeave }: FileRowProps) {
  const { name, size } = file;
  const length = <span className="shrink-0 text-label text-muted">{measureText(bytesMeasure(size))}</span>;
  if (state.is === "opened") {
    const { profile } = state;
    return (
      <>
        <span className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" strokeWidth={1.75} />
          <Link
            to="/profile/$profileId"
            params={{ profileId: profile.profile_id }}
            onClick={onLeave}
            className="min-w-0 flex-1 truncate rounded-badge font-medium hover:underline"
          >
            {name}
          </Link>
          {length}
        </span>
        <span className="pl-6 text-label text-muted">{recognizedText(profile)}</span>
        {profile.notice && <span className="pl-6 text-label text-muted">{profile.notice}</span>}
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
