import type { ComparedTree } from "@flamekeep/flame/compare";
import type { ReactNode } from "react";
import { Fact, factClass } from "#flame-graph/frame/fact.tsx";
import { type HoverStore, useHover } from "#flame-graph/frame/hover-store.ts";
import { SourceLink } from "#flame-graph/source/source-link.tsx";
import { exactCount } from "#format/number.ts";
import { changeText, frameName, type Scaling } from "./change-text.ts";

interface ChangeDetailsProps {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
  readonly hover: HoverStore;
  /** Shown while no frame is hovered. */
  readonly node: number;
}

/** Both values of the frame under the pointer, in a fixed place. */
export function ChangeDetails({ tree, scaling, hover, node }: ChangeDetailsProps) {
  const hit = useHover(hover, tree);
  const shown = hit === null ? node : hit.kind === "frame" ? hit.node : hit.parent;
  const row = hit?.kind === "elided" ? tree.elisions.node.indexOf(shown) : -1;
  const { before, after } =
    row === -1 ? { before: tree.before.total, after: tree.after.total } : tree.elisions;
  const at = row === -1 ? shown : row;
  const text = changeText(scaling, before[at]!, after[at]!);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Frame"
      className="grid h-11 content-center gap-x-6 bg-surface px-4 max-md:sticky max-md:top-16 max-md:z-20 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium font-mono text-code" title={frameName(tree, shown)}>
          {row === -1
            ? frameName(tree, shown)
            : `${exactCount(tree.elisions.count[row]!)} small frames left out under ${frameName(tree, shown)}`}
        </span>
        <span className="hidden truncate text-label text-muted sm:block">
          {row === -1 && (
            <>
              Self: {selfText(tree, scaling, shown)}
              <SourceLink tree={tree} node={shown} />
            </>
          )}
        </span>
      </div>
      <dl className="flex h-5 items-center gap-x-3 overflow-hidden whitespace-nowrap sm:h-auto sm:gap-x-6">
        <Fact label="Before">{text.before}</Fact>
        <Fact label="After">{text.after}</Fact>
        <Change>
          <span className="max-sm:hidden">{text.change} </span>
          <span className="text-label text-muted max-sm:text-text">{text.percent}</span>
        </Change>
      </dl>
    </div>
  );
}

function selfText(tree: ComparedTree, scaling: Scaling, node: number): string {
  const { before, after, percent } = changeText(scaling, tree.before.self[node]!, tree.after.self[node]!);
  return `${before} before, ${after} after, ${percent}`;
}

/** Comes first and without a label on a phone, which has no room for more next to both values. Its sign says that it is a change. */
function Change({ children }: { readonly children: ReactNode }) {
  return (
    <div className={`${factClass} max-sm:order-first`}>
      <dt className="text-label text-muted max-sm:sr-only">Change</dt>
      <dd className="max-sm:text-label">{children}</dd>
    </div>
  );
}
