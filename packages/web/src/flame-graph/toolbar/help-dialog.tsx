import { Dialog } from "#ui/overlays/dialog.tsx";

const keys: readonly (readonly [keys: string, does: string])[] = [
  ["/", "Search functions and packages"],
  ["Enter, Shift Enter", "Next and previous match, in the search box"],
  ["N, P", "Next and previous match"],
  ["Esc", "Reset zoom, clear search and highlights"],
  ["R", "Refresh"],
  ["E", "Export as SVG"],
  ["L", "Toggle the legend"],
  ["↑ ↓ ← →", "Select caller, callee and neighbours, with the graph focused"],
  ["Enter", "Zoom to the selected frame"],
  ["Home", "Back to the root"],
  ["Ctrl wheel", "Zoom at the pointer"],
  ["Drag, Shift wheel", "Move sideways"],
  ["Tap, tap again", "Select a frame, zoom to it"],
  ["Two fingers", "Zoom and move"],
  ["?", "This list"],
];

interface HelpDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

export function HelpDialog({ isOpen, onOpenChange }: HelpDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard and pointer">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-badge border border-line bg-surface-2 px-1.5 py-0.5 font-mono text-label">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
