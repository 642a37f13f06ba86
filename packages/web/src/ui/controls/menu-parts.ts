import type { Menu as Base } from "@base-ui/react/menu";
import { createContext, type HTMLAttributes, type ReactElement, type ReactNode, use } from "react";

export interface MenuProps {
  readonly trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  readonly align?: "start" | "center" | "end";
  readonly children: ReactNode;
}

/** The parts of a menu, for its items. */
export const MenuParts = createContext<typeof Base | null>(null);

export function useMenuParts(): typeof Base {
  const parts = use(MenuParts);
  if (parts === null) throw new Error("A menu item is outside of a menu");
  return parts;
}
