import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { cx } from "#ui/cx.ts";

interface MenuProps {
  readonly trigger: ReactElement;
  readonly align?: "start" | "center" | "end";
  readonly children: ReactNode;
}

export function Menu({ trigger, align = "end", children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={8} align={align} className="z-50 outline-none">
          <Base.Popup className="min-w-52 rounded-card border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const menuItemClass =
  "flex h-8 w-full max-md:min-h-10 items-center gap-2.5 rounded-badge px-2.5 text-left text-body outline-none data-[highlighted]:bg-surface-2 [&_svg]:size-4 [&_svg]:text-muted";

interface MenuItemProps {
  readonly onSelect?: () => void;
  readonly render?: ReactElement;
  readonly tone?: "critical";
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, render, tone, children }: MenuItemProps) {
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
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}

export function MenuRadioGroup<V extends string>(props: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string; readonly icon: ReactNode }[];
  readonly onChange: (value: V) => void;
}) {
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
