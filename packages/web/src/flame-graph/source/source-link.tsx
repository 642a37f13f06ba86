import type { CallTree } from "@flamekeep/flame";
import { useFrameSource } from "./source-links.ts";

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
