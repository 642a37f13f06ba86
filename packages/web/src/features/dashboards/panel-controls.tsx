import type { DashboardPanel } from "@flamekeep/contract";
import { ArrowDown, ArrowUp, type LucideIcon, Pencil, Trash2 } from "lucide-react";
import { panelName } from "#add-to-dashboard/panel-names.ts";
import { Button } from "#ui/controls/button.tsx";
import { DragHandle } from "./drag-handle.tsx";

interface PanelControlsProps {
  readonly panel: DashboardPanel;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (direction: -1 | 1) => void;
  /** The panel that this one is dragged over. */
  readonly onOver: (target: string | undefined) => void;
  readonly onDrop: (target: string) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** The buttons of a panel while its dashboard is edited. */
export function PanelControls({ panel, isFirst, isLast, onMove, ...on }: PanelControlsProps) {
  const name = panel.title || panelName(panel);
  const button = (label: string, Icon: LucideIcon, onClick: () => void, isDisabled = false) => (
    <Button
      variant="ghost"
      className="size-8 px-0!"
      title={label}
      aria-label={`${label}: ${name}`}
      aria-disabled={isDisabled}
      onClick={(event) => {
        const { currentTarget } = event;
        if (isDisabled) return;
        onClick();
        // A panel that has moved in the page loses the focus.
        requestAnimationFrame(() => currentTarget.isConnected && currentTarget.focus());
      }}
    >
      <Icon aria-hidden className={isDisabled ? "size-4 opacity-40" : "size-4"} strokeWidth={1.75} />
    </Button>
  );
  return (
    <>
      <DragHandle id={panel.id} onOver={on.onOver} onDrop={on.onDrop} />
      {button("Move up", ArrowUp, () => onMove(-1), isFirst)}
      {button("Move down", ArrowDown, () => onMove(1), isLast)}
      {button("Edit", Pencil, on.onEdit)}
      {button("Remove", Trash2, on.onRemove)}
    </>
  );
}
