import { type CallTree, fitLabel, fullNames, functionNames, pathTo, shownName } from "@flamekeep/flame";
import { pendingText, useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { exactCount } from "#format/number.ts";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

interface ZoomPathProps {
  readonly tree: CallTree;
  readonly zoom: number;
  readonly isZoomed: boolean;
  /** Whether the tree is a half of a sandwich, whose zoom begins at its function and not at the root. */
  readonly isHalf: boolean;
  /** Whether the selected function is next to it, which also says that frames are loading. */
  readonly hasSelectedFunction: boolean;
  readonly onZoom: (node: number) => void;
  readonly onReset: () => void;
}

/** Callers shown by name. Only the number of the callers above them is shown. */
const shownCallers = 2;

/** 'Zoomed to: Root / a / b', in which each part zooms back. Phones show the first and the last. */
export function ZoomPath({
  tree,
  zoom,
  isZoomed,
  isHalf,
  hasSelectedFunction,
  onZoom,
  onReset,
}: ZoomPathProps) {
  const names = functionNames(tree.functions);
  const path = pathTo(tree, zoom);
  const hasAllFrames = useHasAllFrames();
  const leftOut = tree.elisions.count.reduce((sum, count) => sum + count, 0);
  const hidden = Math.max(0, path.length - 1 - shownCallers - 1);
  const shown = path.slice(1 + hidden);
  return (
    <nav
      aria-label="Zoom"
      className="flex h-6 min-w-0 flex-1 items-center gap-2 px-4 text-label max-md:basis-full"
    >
      <div className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden">
        <span className="shrink-0 text-muted">Zoomed to:</span>
        {(!isHalf || zoom === 0) && (
          <span className="flex shrink-0">
            <PathPart name="Root" isCurrent={zoom === 0} onClick={() => onZoom(0)} />
          </span>
        )}
        {hidden > 0 && <span className="shrink-0 text-muted max-sm:hidden">/ {hidden} more</span>}
        {shown.map((node) => (
          <span
            key={node}
            className={cx(
              "flex items-center gap-1",
              node === zoom ? "min-w-0 sm:shrink-0" : "min-w-10 max-sm:hidden",
              // The outermost caller makes room first.
              node === shown[0] && node !== zoom && "shrink-[99]",
            )}
          >
            {!(isHalf && node === path[1]) && (
              <span aria-hidden className="text-muted">
                /
              </span>
            )}
            <PathPart
              name={names[tree.fn[node]!]!}
              fullName={shownName(fullNames(tree.functions)[tree.fn[node]!]!)}
              isCurrent={node === zoom}
              onClick={() => onZoom(node)}
            />
          </span>
        ))}
      </div>
      {leftOut > 0 && (hasAllFrames || !hasSelectedFunction) && (
        <span className="hidden shrink-0 text-muted md:inline">
          {hasAllFrames ? `${exactCount(leftOut)} small frames left out` : pendingText}
        </span>
      )}
      {isZoomed && (
        <Button variant="ghost" size="sm" className="h-6!" onClick={onReset}>
          Reset Zoom
        </Button>
      )}
    </nav>
  );
}

/** Longest names in the path, in characters: callers, the frame itself, and the frame on phones. */
const lengths = { caller: 28, current: 48, phone: 20 };

interface PathPartProps {
  readonly name: string;
  readonly fullName?: string;
  readonly isCurrent: boolean;
  readonly onClick: () => void;
}

function PathPart({ name, fullName = name, isCurrent, onClick }: PathPartProps) {
  if (isCurrent) {
    return (
      <span aria-current="location" title={fullName} className="min-w-0 truncate font-mono">
        <span className="max-sm:hidden">{fitLabel(name, lengths.current)}</span>
        <span className="sm:hidden">{fitLabel(name, lengths.phone)}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      title={fullName}
      onClick={onClick}
      className="min-w-0 truncate-start rounded-badge font-mono text-accent-text hover:underline"
    >
      <bdi dir="ltr">{fitLabel(name, lengths.caller)}</bdi>
    </button>
  );
}
