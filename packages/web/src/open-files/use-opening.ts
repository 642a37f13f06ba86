import type { IngestedProfile } from "@flamekeep/contract";
import { useEffect, useRef, useState } from "react";
import { capitalized, profileTypeName } from "#format/names.ts";
import { plural } from "#format/number.ts";
import type { Sending } from "./send-file.ts";

/** How far a file has come. */
export type FileState<R> =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly fraction: number }
  | { readonly is: "opened"; readonly reply: R }
  | { readonly is: "refused"; readonly reason: string };

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
      onProgress(0);
      const state = await send(file, { onProgress, signal }).then(
        (reply): FileState<R> => ({ is: "opened", reply }),
        (error: unknown): FileState<R> => ({ is: "refused", reason: (error as Error).message }),
      );
      if (signal.aborted) break;
      note(file, state);
      results.push(state);
    }
    return results;
  }

  return { open, stateOf: (file: File): FileState<R> => states.get(file) ?? waiting };
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
