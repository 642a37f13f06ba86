import { ListFilter } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuSeparator } from "#ui/controls/menu.tsx";
import { ToolbarItems } from "./lazy-parts.tsx";

/** The steps for a whole graph, in a toolbar. */
export function TransformMenu({
  children,
  ...props
}: ComponentProps<typeof ToolbarItems> & { readonly children?: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="sm" className="h-8">
          <ListFilter aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-sm:sr-only">Transform</span>
        </Button>
      }
    >
      {children}
      {children !== undefined && <MenuSeparator />}
      <ToolbarItems {...props} />
    </Menu>
  );
}
