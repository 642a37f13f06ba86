import { type CallTree, nameForms, pathTo, shownName } from "@flamekeep/flame";
import { exactCount } from "#format/number.ts";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

interface ZoomPathProps {
  readonly tree: CallTree;
  readonly zoom: number;
  readonly isZoomed: boolean;
  readonly onZoom: (node: number) => void;
  readonly onReset: () => void;
}

/** Callers shown by name. Only the number of the callers above them is shown. */
const shownCallers = 3;

/** 'Zoomed to: Root / a / b', in which each part zooms back. Phones show the first and the last. */
export function ZoomPath({ tree, zoom, isZoomed, onZoom, onReset }: ZoomPathProps) {
  const path = pathTo(tree, zoom);
  const leftOut = tree.elisions.count.reduce((sum, count) => sum + count, 0);
  const hidden = Math.max(0, path.length - 1 - shownCallers - 1);
  const shown = path.slice(1 + hidden);
  return (
    <nav aria-label="Zoom" className="flex h-7 items-center gap-2 px-4 text-label">
      <div className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden">
        <span className="shrink-0 text-muted">Zoomed to:</span>
        <span className="flex shrink-0">
          <PathPart name="Root" isCurrent={zoom === 0} onClick={() => onZoom(0)} />
        </span>
        {hidden > 0 && <span className="shrink-0 text-muted max-sm:hidden">/ {hidden} more</span>}
        {shown.map((node) => (
          <span
            key={node}
            className={cx(
              "flex items-center gap-1",
              node === zoom ? "min-w-0 sm:shrink-0" : "min-w-6 max-sm:hidden",
            )}
          >
            <span aria-hidden className="text-muted">
              /
            </span>
            <PathPart
              name={shownName(tree.functions.name[tree.fn[node]!]!)}
              isCurrent={node === zoom}
              onClick={() => onZoom(node)}
            />
          </span>
        ))}
      </div>
      {leftOut > 0 && (
        <span className="hidden shrink-0 text-muted md:inline">
          {exactCount(leftOut)} small frames left out
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

function PathPart({ name, isCurrent, onClick }: { name: string; isCurrent: boolean; onClick: () => void }) {
  const forms = nameForms(name);
  const within = (length: number) => forms.find((form) => form.length <= length) ?? forms.at(-1);
  if (isCurrent) {
    return (
      <span aria-current="location" title={name} className="min-w-0 truncate font-mono">
        <span className="max-sm:hidden">{within(lengths.current)}</span>
        <span className="sm:hidden">{within(lengths.phone)}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      title={name}
      onClick={onClick}
      className="min-w-0 truncate rounded-badge font-mono text-accent-text hover:underline"
    >
      {within(lengths.caller)}
    </button>
  );
}
