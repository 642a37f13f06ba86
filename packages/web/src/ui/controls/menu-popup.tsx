import { Menu as Base } from "@base-ui/react/menu";
import { useTakeover } from "#ui/hooks/first-use.ts";
import { MenuParts, type MenuProps } from "./menu-parts.ts";

interface OpenedMenuProps extends Required<MenuProps> {
  readonly isByKeyboard: boolean;
}

/** The menu from its first opening on. */
export function OpenedMenu({ trigger, align, isByKeyboard, children }: OpenedMenuProps) {
  const button = useTakeover(isByKeyboard);
  return (
    <Base.Root modal={false} defaultOpen={!isByKeyboard}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={8} align={align} className="z-50 outline-none">
          <Base.Popup className="max-h-[var(--available-height)] min-w-52 overflow-y-auto rounded-card border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            <MenuParts value={Base}>{children}</MenuParts>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
