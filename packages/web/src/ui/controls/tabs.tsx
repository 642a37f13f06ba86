import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "#ui/cx.ts";

interface TabItem<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
}

interface TabsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly items: readonly TabItem<V>[];
  readonly onChange: (value: V) => void;
  readonly actions?: ReactNode;
  /** The content touches the tabs, as within a card. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export function Tabs<V extends string>(props: TabsProps<V>) {
  const { label, value, items, onChange, actions, isFlush = false, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const tabsShown = items.map((item) => item.value).join(" ");

  useEffect(() => {
    const element = list.current;
    if (tabsShown === "" || element === null) return;
    // Observed, because counts that arrive later move the tab, and a narrower window hides it.
    const observer = new ResizeObserver(() => scrollToTab(element, value));
    observer.observe(element);
    for (const tab of element.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [value, tabsShown]);

  return (
    <Base.Root value={value} onValueChange={(next: V) => onChange(next)}>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 border-line border-b">
        <Base.List ref={list} aria-label={label} className="scroll-row -mb-px relative flex max-w-full gap-1">
          {items.map((item) => (
            <Base.Tab
              key={item.value}
              value={item.value}
              data-tab={item.value}
              className="inline-flex h-10 shrink-0 items-center gap-2 rounded-t-control border-transparent border-b-2 px-3 font-medium text-body text-muted transition-colors duration-150 hover:text-text focus-visible:-outline-offset-2 data-[active]:border-accent data-[active]:text-text"
            >
              {item.label}
            </Base.Tab>
          ))}
        </Base.List>
        {actions}
      </div>
      {/* Its controls have the focus: after a click between them, a shortcut would draw a ring around the whole page. */}
      <Base.Panel value={value} tabIndex={-1} className={cx("outline-none", !isFlush && "pt-5")} key={value}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}

/** The fade of `scroll-row` at an edge beyond which tabs are hidden. */
const fadePx = 40;

/** Scrolls the list sideways only: `scrollIntoView` would move the page too. */
function scrollToTab(list: HTMLElement, value: string): void {
  const tab = list.querySelector(`[data-tab="${CSS.escape(value)}"]`);
  if (tab === null) return;
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  // To the middle, because the row fades at its edges.
  if (inner.left < outer.left + fadePx || inner.right > outer.right - fadePx)
    list.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

export function TabCount({ value }: { readonly value: string }) {
  return <span className="rounded-badge bg-surface-2 px-1.5 font-medium text-label text-muted">{value}</span>;
}
