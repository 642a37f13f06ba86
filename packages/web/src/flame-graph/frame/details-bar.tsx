import type { CallTree } from "@flamekeep/flame";
import { SourceLink } from "#flame-graph/source/source-link.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { Fact } from "./fact.tsx";
import { elidedText, frameText } from "./frame-text.ts";
import { type HoverStore, useHover } from "./hover-store.ts";

interface DetailsBarProps {
  readonly tree: CallTree;
  readonly hover: HoverStore;
  /** Shown while no frame is hovered. */
  readonly node: number;
}

const bar = "h-11 bg-surface px-4 max-md:sticky max-md:top-16 max-md:z-20";

/** Details of the frame under the pointer, in a fixed place. Phones drop the last ones that do not fit. */
export function DetailsBar({ tree, hover, node }: DetailsBarProps) {
  const hit = useHover(hover, tree);
  if (hit?.kind === "elided") {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
      <div role="group" aria-label="Frame" className={cx(bar, "flex items-center text-muted")}>
        <p className="truncate">{elidedText(tree, hit.parent)}</p>
      </div>
    );
  }
  return <FrameDetails tree={tree} node={hit === null ? node : hit.node} />;
}

function FrameDetails({ tree, node }: { readonly tree: CallTree; readonly node: number }) {
  const text = frameText(tree, node);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Frame"
      className={cx(bar, "grid content-center gap-x-6 sm:grid-cols-[minmax(0,1fr)_auto]")}
    >
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium font-mono text-code" title={text.name}>
          {text.name}
        </span>
        <span className="hidden truncate text-label text-muted sm:block">
          {text.about}
          <SourceLink tree={tree} node={node} />
        </span>
      </div>
      <dl className="flex h-5 flex-wrap content-start items-center gap-x-4 gap-y-2 overflow-hidden whitespace-nowrap sm:h-auto sm:gap-x-6">
        <Fact label="Total" percent={text.totalPercent}>
          <Quantity value={text.total} />
        </Fact>
        <Fact label="Self" percent={text.selfPercent}>
          <Quantity value={text.self} />
        </Fact>
        <Fact label={text.countName}>{text.count}</Fact>
      </dl>
    </div>
  );
}
