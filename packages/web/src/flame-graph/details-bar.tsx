import type { CallTree } from "@flamekeep/flame";
import { elidedText, frameText } from "./frame-text.ts";
import { type HoverStore, useHover } from "./hover-store.ts";

interface DetailsBarProps {
  readonly tree: CallTree;
  readonly hover: HoverStore;
  /** Shown while nothing is pointed at. */
  readonly node: number;
}

/** Facts of the frame under the pointer, always in the same place. On a phone the last of them goes where it would be cut. */
export function DetailsBar({ tree, hover, node }: DetailsBarProps) {
  const hit = useHover(hover);
  if (hit?.kind === "elided") {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
      <div role="group" aria-label="Frame" className="flex h-14 items-center px-4 text-muted">
        <p className="truncate">{elidedText(tree, hit.parent)}</p>
      </div>
    );
  }
  const text = frameText(tree, hit === null ? node : hit.node);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Frame"
      className="grid h-14 content-center gap-x-6 px-4 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium font-mono text-code" title={text.name}>
          {text.name}
        </span>
        <span className="hidden truncate text-label text-muted sm:block">{text.about}</span>
      </div>
      <dl className="flex h-5 flex-wrap content-start items-center gap-x-4 gap-y-2 overflow-hidden whitespace-nowrap sm:h-auto sm:gap-x-6">
        <Fact label="Total" value={text.total} percent={text.totalPercent} />
        <Fact label="Self" value={text.self} percent={text.selfPercent} />
        <Fact label="Samples" value={text.samples} />
      </dl>
    </div>
  );
}

function Fact({ label, value, percent }: { label: string; value: string; percent?: string }) {
  return (
    <div className="flex flex-col sm:min-w-24 sm:text-right">
      <dt className="hidden text-label text-muted sm:block">{label}</dt>
      <dd className="max-sm:text-label">
        <span className="mr-1 text-label text-muted sm:hidden">{label}</span>
        {value}
        {percent !== undefined && <span className="ml-1.5 text-label text-muted">{percent}</span>}
      </dd>
    </div>
  );
}
