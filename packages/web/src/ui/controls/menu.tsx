import { cloneElement, type ReactElement, type ReactNode } from "react";
import { importOnce } from "#api/import-page.ts";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { type MenuProps, useMenuParts } from "./menu-parts.ts";

const loadMenu = importOnce(() => import("./menu-popup.tsx"));

export function Menu({ trigger, align = "end", children }: MenuProps) {
  const { used, triggerProps } = useFirstUse(loadMenu, "menu");
  if (used === undefined) return cloneElement(trigger, triggerProps);
  const { OpenedMenu } = used.parts;
  return (
    <OpenedMenu trigger={trigger} align={align} isByKeyboard={used.isByKeyboard}>
      {children}
    </OpenedMenu>
  );
}

const menuItemClass =
  "flex h-8 w-full max-md:min-h-10 items-center gap-2.5 rounded-badge px-2.5 text-left text-body outline-none data-[highlighted]:bg-surface-2 [&_svg]:size-4 [&_svg]:text-muted";

interface MenuItemProps {
  readonly onSelect?: () => void;
  readonly render?: ReactElement;
  readonly tone?: "critical";
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, render, tone, children }: MenuItemProps) {
  const Base = useMenuParts();
  return (
    <Base.Item
      {...(onSelect && { onClick: onSelect })}
      {...(render && { render })}
      className={cx(menuItemClass, tone === "critical" && "text-critical-text [&_svg]:text-current")}
    >
      {children}
    </Base.Item>
  );
}

export function MenuSeparator() {
  const Base = useMenuParts();
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}

export function MenuRadioGroup<V extends string>(props: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string; readonly icon: ReactNode }[];
  readonly onChange: (value: V) => void;
}) {
  const Base = useMenuParts();
  return (
    <Base.RadioGroup value={props.value} onValueChange={props.onChange} aria-label={props.label}>
      {props.options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          closeOnClick={false}
          className={cx(menuItemClass, "group")}
        >
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <span className="invisible size-1.5 rounded-full bg-accent group-data-[checked]:visible" />
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
