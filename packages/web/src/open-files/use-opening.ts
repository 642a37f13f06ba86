import type { IngestedProfile } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { capitalized, profileTypeName } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { sendFile } from "./send-file.ts";

/** How far a file has come. */
export type FileState =
  | { readonly is: "waiting" }
  | { readonly is: "sending"; readonly fraction: number }
  | { readonly is: "opened"; readonly profile: IngestedProfile }
  | { readonly is: "refused"; readonly reason: string };

const waiting: FileState = { is: "waiting" };

/** Uploads files one after the other. Leaving the page or the dialog cancels what is left. */
export function useOpening() {
  const client = useQueryClient();
  const [states, setStates] = useState<ReadonlyMap<File, FileState>>(new Map());
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    return () => left.abort();
  }, []);
  const note = (file: File, state: FileState) => setStates((before) => new Map([...before, [file, state]]));

  async function open(files: readonly File[], query: Readonly<Record<string, string>>) {
    const { signal } = leaving.current;
    setStates((before) => new Map([...before, ...files.map((file) => [file, waiting] as const)]));
    const results: FileState[] = [];
    for (const file of files) {
      const onProgress = (fraction: number) => note(file, { is: "sending", fraction });
      onProgress(0);
      const state = await sendFile(file, { query: { ...query, ...namedAs(file) }, onProgress, signal }).then(
        (profile): FileState => ({ is: "opened", profile }),
        (error: unknown): FileState => ({ is: "refused", reason: (error as Error).message }),
      );
      if (signal.aborted) break;
      note(file, state);
      results.push(state);
    }
    // Lists, counts and charts of all pages have new profiles.
    void client.invalidateQueries();
    return results;
  }

  return { open, stateOf: (file: File) => states.get(file) ?? waiting };
}

const fileNameLengthMax = 200;

/** The name helps to find the type; as a tag, it keeps files apart that are no series. */
function namedAs({ name }: File): Readonly<Record<string, string>> {
  const file = name.slice(-fileNameLengthMax).toWellFormed();
  return { file, "tag.file": file };
}

/** A stored file in words: `Speedscope file, CPU, 12,402 samples`. */
export function recognizedText({
  recognized_as: format = "",
  type,
  also_listed: others = [],
  sample_count: samples,
  duplicate,
}: IngestedProfile): string {
  const types = [type, ...others.map((other) => other.type)].map(profileTypeName).join(" and ");
  const text = `${format.replace(/^an? /, "")}, ${types}, ${plural(samples, "sample")}`;
  return `${capitalized(text)}${duplicate ? ", stored before" : ""}`;
}
