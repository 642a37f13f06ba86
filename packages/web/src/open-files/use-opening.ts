import type { IngestedProfile } from "@flamekeep/contract";
import { useEffect, useRef, useState } from "react";
import { CallFailure } from "#api/reply.ts";
import { capitalized, profileTypeName } from "#format/names.ts";
import { plural } from "#format/number.ts";
import type { Sending } from "./send-file.ts";

/** How far a file has come. */
export type FileState<R> =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly fraction: number }
  /** The server takes it later: it is sent again then. */
  | { readonly is: "delayed"; readonly atMs: number; readonly cause: string }
  | { readonly is: "opened"; readonly reply: R }
  | { readonly is: "refused"; readonly reason: string };

const delaySecondsMax = 120;
const attemptsMax = 10;
const waiting = { is: "waiting" } as const;

type Send<R> = (file: File, sending: Omit<Sending, "query">) => Promise<R>;

/** Uploads files one after the other. Leaving the page or the dialog cancels what is left. */
export function useOpening<R>() {
  const [states, setStates] = useState<ReadonlyMap<File, FileState<R>>>(new Map());
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    return () => left.abort();
  }, []);
  const note = (file: File, state: FileState<R>) =>
    setStates((before) => new Map([...before, [file, state]]));

  async function open(files: readonly File[], send: Send<R>) {
    const { signal } = leaving.current;
    setStates((before) => new Map([...before, ...files.map((file) => [file, waiting] as const)]));
    const results: FileState<R>[] = [];
    for (const file of files) {
      const onProgress = (fraction: number) => note(file, { is: "sending", fraction });
      let state: FileState<R>;
      for (let attempt = 1; ; attempt++) {
        onProgress(0);
        state = await send(file, { onProgress, signal }).then(
          (reply): FileState<R> => ({ is: "opened", reply }),
          (error: Error) => stateAfter(error, attempt),
        );
        if (state.is !== "delayed" || signal.aborted) break;
        note(file, state);
        await pause(state.atMs - Date.now(), signal);
      }
      if (signal.aborted) break;
      note(file, state);
      results.push(state);
    }
    return results;
  }

  return { open, stateOf: (file: File): FileState<R> => states.get(file) ?? waiting };
}

/** A file that the server does not take now is sent again when the server says so, unless that is far from now. */
function stateAfter(error: Error, attempt: number): FileState<never> {
  const { message: reason } = error;
  const seconds = error instanceof CallFailure ? error.retryAfterSeconds : undefined;
  if (seconds === undefined || seconds > delaySecondsMax || attempt === attemptsMax)
    return { is: "refused", reason };
  // The advice that follows the cause is to send it again.
  const [cause = reason] = reason.split(/\.(?:\s|$)/u);
  return { is: "delayed", atMs: Date.now() + seconds * 1000, cause };
}

/** Ends early when the signal does. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const fileNameLengthMax = 200;

/** The end of a file's name, where it says what is in the file. */
export function sentName({ name }: File): string {
  return name.slice(-fileNameLengthMax).toWellFormed();
}

/** A stored file in words: `Speedscope file, CPU, 12,402 samples`. */
export function recognizedText(profile: IngestedProfile): string {
  const { recognized_as: format = "", type, also_listed: others = [], sample_count, duplicate } = profile;
  const text = contentText(format, [type, ...others.map((other) => other.type)], sample_count);
  return `${text}${duplicate ? ", stored before" : ""}`;
}

export function contentText(format: string, types: readonly string[], samples: number): string {
  const kinds = types.map(profileTypeName).join(" and ");
  return capitalized(`${format.replace(/^an? /, "")}, ${kinds}, ${plural(samples, "sample")}`);
}
