import { ContextMenu } from "@base-ui/react/context-menu";
import { type CallTree, shownName } from "@flamekeep/flame";
import { Copy, Focus, Package, Search, ZoomIn } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { FrameItems } from "#flame-graph/transforms/lazy-parts.tsx";
import { menuItemClass } from "#ui/controls/menu.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";

interface FrameMenuActions {
  readonly onZoom: (node: number) => void;
  readonly onFocus: (node: number) => void;
  readonly onSearch: (text: string) => void;
  /** The chain of transforms as text. */
  readonly onTransform: (to: string) => void;
}

interface FrameMenuProps {
  readonly tree: CallTree;
  /** Frame of the menu, or -1 to keep it closed. */
  readonly node: number;
  readonly summaryOf: (node: number) => string;
  /** The chain of transforms as text. */
  readonly transforms: string;
  readonly actions: FrameMenuActions;
  /** The element that is right-clicked. */
  readonly children: ReactElement;
}

export function FrameMenu({ children, ...items }: FrameMenuProps) {
  const { node } = items;
  return (
    <ContextMenu.Root disabled={node === -1}>
      <ContextMenu.Trigger render={children} />
      <ContextMenu.Portal>
        <ContextMenu.Positioner className="z-50 outline-none">
          <ContextMenu.Popup className="min-w-60 max-w-96 rounded-card border border-line bg-surface p-1 shadow-float outline-none">
            {node !== -1 && <Items {...items} />}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Items({ tree, node, summaryOf, transforms, actions }: Omit<FrameMenuProps, "children">) {
  const fn = tree.fn[node]!;
  const name = shownName(tree.functions.name[fn]!);
  const packageName = tree.functions.packageName[fn]!;
  return (
    <>
      <div className="px-2.5 py-1.5">
        <p className="truncate font-mono text-label" title={name}>
          {name}
        </p>
        <p className="text-label text-muted">{summaryOf(node)}</p>
      </div>
      <ContextMenu.Separator className="mx-1 my-1 h-px bg-line" />
      <Item icon={<ZoomIn />} onClick={() => actions.onZoom(node)}>
        Zoom to this frame
      </Item>
      <Item icon={<Focus />} onClick={() => actions.onFocus(node)}>
        Focus on subtree
      </Item>
      <Item icon={<Copy />} onClick={() => void copyAndReport(tree.functions.name[fn]!, "Copied")}>
        Copy function name
      </Item>
      {packageName !== "" && (
        <>
          <Item icon={<Package />} onClick={() => void copyAndReport(packageName, "Copied")}>
            Copy package name
          </Item>
          <Item icon={<Search />} onClick={() => actions.onSearch(packageName)}>
            Search for package
          </Item>
        </>
      )}
      <FrameItems tree={tree} node={node} text={transforms} onChange={actions.onTransform} />
    </>
  );
}

function Item(props: {
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ContextMenu.Item onClick={props.onClick} className={menuItemClass}>
      {props.icon}
      {props.children}
    </ContextMenu.Item>
  );
}
