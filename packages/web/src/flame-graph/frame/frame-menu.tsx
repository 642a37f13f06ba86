import { Menu as Base } from "@base-ui/react/menu";
import {
  type CallTree,
  fullNames,
  functionNames,
  pathTo,
  queryForPackage,
  shownName,
} from "@flamekeep/flame";
import { Copy, ExternalLink, Focus, ListTree, type LucideIcon, Package, Search, ZoomIn } from "lucide-react";
import { type RefObject, useMemo } from "react";
import { FrameItems } from "#flame-graph/transforms/lazy-parts.tsx";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";
import { MenuParts } from "#ui/controls/menu-parts.ts";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import { useFrameSource } from "./source-links.tsx";

interface FrameMenuActions {
  readonly onZoom: (node: number) => void;
  readonly onFocus: (node: number) => void;
  readonly onSearch: (text: string) => void;
  /** The chain of transforms as text. */
  readonly onTransform: (to: string) => void;
}

/** Where and for which frame a menu is open, in pixels of the window. */
export interface OpenMenu {
  readonly node: number;
  readonly x: number;
  readonly y: number;
}

interface FrameMenuProps {
  readonly tree: CallTree;
  readonly open: OpenMenu;
  /** @param isByPress whether a press outside of the menu closes it */
  readonly onClose: (isByPress: boolean) => void;
  /** Gets the focus back. */
  readonly graph: RefObject<HTMLElement | null>;
  readonly summaryOf: (node: number) => string;
  /** The chain of transforms as text. */
  readonly transforms: string;
  readonly actions: FrameMenuActions;
}

/** The menu of a frame, where it was right-clicked. */
export function FrameMenu({ open, onClose, graph, ...items }: FrameMenuProps) {
  const { x, y } = open;
  const anchor = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }), [x, y]);
  return (
    <Base.Root open onOpenChange={(isOpen, { reason }) => !isOpen && onClose(reason === "outside-press")}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={2} className="z-50 outline-none">
          <Base.Popup
            finalFocus={graph}
            aria-label="Frame"
            className="max-h-[var(--available-height)] min-w-60 max-w-96 overflow-y-auto rounded-card border border-line bg-surface p-1 shadow-float outline-none"
          >
            <MenuParts value={Base}>
              <Items {...items} node={open.node} />
            </MenuParts>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The functions from the outermost to the one of the frame, a line each. */
function stackText(tree: CallTree, node: number): string {
  const path = pathTo(tree, node);
  return path
    .slice(Math.min(1, path.length - 1))
    .map((at) => fullNames(tree.functions)[tree.fn[at]!]!)
    .join("\n");
}

type ItemsProps = Omit<FrameMenuProps, "open" | "onClose" | "graph"> & { readonly node: number };

function Items({ tree, node, summaryOf, transforms, actions }: ItemsProps) {
  const fn = tree.fn[node]!;
  const name = shownName(tree.functions.name[fn]!);
  const packageName = tree.functions.packageName[fn]!;
  const source = useFrameSource(tree, node);
  const copy = (text: string) => () => void copyAndReport(text, "Copied");
  return (
    <>
      <div className="px-2.5 py-1.5">
        <p className="truncate font-mono text-label" title={name}>
          {functionNames(tree.functions)[fn]}
        </p>
        <p className="text-label text-muted">{summaryOf(node)}</p>
      </div>
      <MenuSeparator />
      <Item Icon={ZoomIn} label="Zoom to this frame" onSelect={() => actions.onZoom(node)} />
      <Item Icon={Focus} label="Focus on subtree" onSelect={() => actions.onFocus(node)} />
      <Item Icon={Copy} label="Copy function name" onSelect={copy(tree.functions.name[fn]!)} />
      <Item Icon={ListTree} label="Copy stack" onSelect={copy(stackText(tree, node))} />
      {packageName !== "" && (
        <>
          <Item Icon={Package} label="Copy package name" onSelect={copy(packageName)} />
          <Item
            Icon={Search}
            label="Search for package"
            onSelect={() => actions.onSearch(queryForPackage(packageName))}
          />
        </>
      )}
      {source !== undefined && (
        <MenuItem render={<a href={source} target="_blank" rel="noopener noreferrer" />}>
          <ExternalLink />
          Open source
        </MenuItem>
      )}
      <FrameItems tree={tree} node={node} text={transforms} onChange={actions.onTransform} />
    </>
  );
}

interface ItemProps {
  readonly Icon: LucideIcon;
  readonly label: string;
  readonly onSelect: () => void;
}

function Item({ Icon, label, onSelect }: ItemProps) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon />
      {label}
    </MenuItem>
  );
}
