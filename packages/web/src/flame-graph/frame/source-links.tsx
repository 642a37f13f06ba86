import { listSourceLinks, sourceUrl } from "@flamekeep/contract";
import type { CallTree } from "@flamekeep/flame";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import { call } from "#api/call.ts";

/** Source links of all services. */
export const sourceLinksQuery = queryOptions({
  queryKey: ["source-links"],
  queryFn: ({ signal }) => call(listSourceLinks, { signal }),
  staleTime: 60_000,
});

/** The program of a graph. */
export interface Program {
  readonly service: string;
  /** Undefined where profiles of several versions are merged. */
  readonly version: string | undefined;
}

/** The address of a place in the source; undefined if there is none. */
export type SourceOf = (file: string, line: number) => string | undefined;

const noSource: SourceOf = () => undefined;

/** The programs of both sides of a comparison. */
interface ComparedSources {
  readonly before: SourceOf;
  readonly after: SourceOf;
}

const SourceContext = createContext<SourceOf>(noSource);
const ComparedSourceContext = createContext<ComparedSources>({ before: noSource, after: noSource });

export const SourceProvider = SourceContext.Provider;
export const ComparedSourceProvider = ComparedSourceContext.Provider;

/** How places of a program become addresses. */
export function useSourceOf(program: Program | undefined): SourceOf {
  const links = useQuery({ ...sourceLinksQuery, enabled: program !== undefined }).data?.source_links;
  const { service, version } = program ?? {};
  return useMemo(() => {
    const link = links?.find((each) => each.service === service);
    return link === undefined ? noSource : (file, line) => sourceUrl(link, { file, line, version });
  }, [links, service, version]);
}

/** The source of a frame: the line of the call, or else the start of the function. A frame that is gone has the source of the first side. */
export function useFrameSource(tree: CallTree, node: number): string | undefined {
  const single = useContext(SourceContext);
  const { before, after } = useContext(ComparedSourceContext);
  const fn = tree.fn[node]!;
  const [, later] = tree.columns;
  const sourceOf = later === undefined ? single : later.total[node] === 0 ? before : after;
  return sourceOf(tree.functions.file[fn]!, tree.line[node]! || tree.functions.startLine[fn]!);
}

/** Opens the source of a frame, where its host is known. */
export function SourceLink({ tree, node }: { readonly tree: CallTree; readonly node: number }) {
  const source = useFrameSource(tree, node);
  if (source === undefined) return null;
  return (
    <>
      {" · "}
      <a href={source} target="_blank" rel="noopener noreferrer" className="text-accent-text hover:underline">
        Open source
      </a>
    </>
  );
}
