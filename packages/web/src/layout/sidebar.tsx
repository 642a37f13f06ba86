import { Link, useRouter } from "@tanstack/react-router";
import { CircleCheck, PanelLeftClose, PanelLeftOpen, TriangleAlert } from "lucide-react";
import { plural } from "#format/number.ts";
import { chosenRange } from "#time-range/search.ts";
import { Badge } from "#ui/content/badge.tsx";
import { BrandMark } from "#ui/content/brand.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { Tooltip, tooltipDelays } from "#ui/overlays/tooltip.tsx";
import { type NavigationItem, navigationOf } from "./navigation.ts";
import { useCurrentPage } from "./page-title.ts";
import { useServerHealth, useServerStatus } from "./status/server-status.ts";

interface SidebarProps {
  readonly isCollapsed: boolean;
  readonly onToggle?: () => void;
  readonly onNavigate?: () => void;
}

export function Sidebar({ isCollapsed, onToggle, onNavigate }: SidebarProps) {
  const router = useRouter();
  return (
    <div className="flex h-full flex-col">
      <div className={cx("flex h-16 shrink-0 items-center gap-2.5", isCollapsed ? "justify-center" : "px-4")}>
        <Link
          to="/"
          aria-label={isCollapsed ? "Flamekeep" : undefined}
          className="flex min-w-0 items-center gap-2.5 rounded-control max-md:min-h-10"
        >
          <BrandMark />
          {!isCollapsed && (
            <span className="min-w-0 leading-tight">
              <span className="block font-semibold text-[0.9375rem] tracking-tight">Flamekeep</span>
              <span className="block text-label text-muted">Performance profiler</span>
            </span>
          )}
        </Link>
      </div>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-5 px-3 py-2">
        {navigationOf(router).map((group) => (
          <div key={group.label}>
            {!isCollapsed && (
              <p aria-hidden className="mb-1 px-2.5 font-medium text-label text-muted">
                {group.label}
              </p>
            )}
            <ul aria-label={group.label} className="flex flex-col gap-0.5">
              {group.items.map((item) => (
                <SidebarItem
                  key={item.to}
                  item={item}
                  isCollapsed={isCollapsed}
                  {...(onNavigate && { onNavigate })}
                />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex flex-col gap-2 p-3">
        <StatusCard isCollapsed={isCollapsed} />
        {onToggle && <CollapseButton isCollapsed={isCollapsed} onToggle={onToggle} />}
      </div>
    </div>
  );
}

interface SidebarItemProps {
  readonly item: NavigationItem;
  readonly isCollapsed: boolean;
  readonly onNavigate?: () => void;
}

function SidebarItem({ item, isCollapsed, onNavigate }: SidebarItemProps) {
  const { section } = useCurrentPage();
  const { data: status } = useServerStatus();
  const isActive = section === item.to;
  const isInSheet = onNavigate !== undefined;
  const openAlerts = item.to === "/alerts" ? (status?.open_alerts ?? 0) : 0;
  const Icon = item.icon;
  return (
    <li>
      <Tooltip
        side="right"
        isDisabled={isInSheet}
        content={
          isCollapsed ? (
            <>
              <span className="block font-medium">{item.label}</span>
              <span className="block opacity-75">{item.description}</span>
            </>
          ) : (
            item.description
          )
        }
        {...(isCollapsed && { delay: tooltipDelays.sidebar })}
      >
        <Link
          to={item.to}
          search={chosenRange}
          aria-current={isActive ? "page" : undefined}
          aria-label={isCollapsed ? collapsedLabel(item, openAlerts) : undefined}
          onClick={onNavigate}
          className={cx(
            "relative flex min-h-9 items-center gap-2.5 rounded-control px-2.5 font-medium transition-colors duration-150",
            isCollapsed && "justify-center",
            isInSheet && "py-2",
            isActive
              ? "bg-surface-2 text-text before:absolute before:inset-y-2 before:-left-3 before:w-0.5 before:rounded-full before:bg-accent"
              : "text-muted hover:bg-surface-2 hover:text-text",
          )}
        >
          <Icon
            aria-hidden
            strokeWidth={1.75}
            className={cx("size-4 shrink-0", isActive && "text-accent-text")}
          />
          {!isCollapsed && (
            <span className="flex-1">
              {item.label}
              {/* A touch screen has no tooltips. */}
              {isInSheet && (
                <span className="block font-normal text-label text-muted">{item.description}</span>
              )}
            </span>
          )}
          {openAlerts > 0 && <AlertCount count={openAlerts} isCollapsed={isCollapsed} />}
        </Link>
      </Tooltip>
    </li>
  );
}

function collapsedLabel(item: NavigationItem, openAlerts: number): string {
  return openAlerts === 0 ? item.label : `${item.label}, ${plural(openAlerts, "open alert")}`;
}

function AlertCount({ count, isCollapsed }: { readonly count: number; readonly isCollapsed: boolean }) {
  return (
    <span
      className={cx(
        "rounded-full bg-critical/12 px-1.5 font-medium text-critical-text text-label",
        isCollapsed && "-top-1 -right-1 absolute",
      )}
    >
      {count}
      {!isCollapsed && <span className="sr-only"> {count === 1 ? "open alert" : "open alerts"}</span>}
    </span>
  );
}

function CollapseButton({ isCollapsed, onToggle }: Required<Pick<SidebarProps, "isCollapsed" | "onToggle">>) {
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const label = isCollapsed ? "Expand sidebar" : "Collapse sidebar";
  return (
    <Tooltip content={label} side="right" delay={tooltipDelays.sidebar} isDisabled={!isCollapsed}>
      <button
        type="button"
        aria-label={label}
        aria-expanded={!isCollapsed}
        onClick={onToggle}
        className={cx(
          buttonClass("ghost", isCollapsed ? "icon" : "md"),
          isCollapsed ? "mx-auto" : "w-full justify-start! px-2.5!",
        )}
      >
        <Icon aria-hidden className="size-4" strokeWidth={1.75} />
        {!isCollapsed && "Collapse"}
      </button>
    </Tooltip>
  );
}

/** Health and CPU usage of the server. */
function StatusCard({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const { data: status } = useServerStatus();
  const health = useServerHealth();
  const { isFine, isFailing, text, cpu } = health ?? {
    isFine: true,
    isFailing: false,
    text: "System status",
    cpu: undefined,
  };
  const faultColor = isFailing ? "text-critical" : "text-warning";
  const Icon = isFine ? CircleCheck : TriangleAlert;
  const icon = (
    <Icon aria-hidden strokeWidth={1.75} className={cx("size-4 shrink-0", isFine ? "text-ok" : faultColor)} />
  );
  if (isCollapsed) return <CollapsedStatus icon={icon} text={text} cpu={cpu} />;
  if (health === undefined) return <Skeleton className="h-[4.625rem] w-full rounded-card!" />;
  const problems = [...(status?.checks.filter(({ ok }) => !ok) ?? []), ...(status?.warnings ?? [])];
  return (
    <section
      aria-label="System status"
      className="flex min-h-[4.625rem] flex-col justify-center rounded-card border border-line bg-bg px-2 py-3 text-label"
    >
      <p className="flex items-center gap-2">
        {icon}
        <span
          className="min-w-0 flex-1 font-medium"
          title={problems.map(({ message }) => message).join("\n") || undefined}
        >
          {text}
        </span>
      </p>
      {cpu && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-1 whitespace-nowrap text-muted">
          Flamekeep server
          <Badge className="px-1!" title="CPU usage of Flamekeep's own process, not of your services">
            {cpu}
          </Badge>
        </p>
      )}
    </section>
  );
}

interface CollapsedStatusProps {
  readonly icon: React.ReactNode;
  readonly text: string;
  readonly cpu: string | undefined;
}

function CollapsedStatus({ icon, text, cpu }: CollapsedStatusProps) {
  const usage = cpu && `Flamekeep server, ${cpu}`;
  return (
    <Tooltip
      side="right"
      delay={tooltipDelays.sidebar}
      content={
        <>
          <span className="block font-medium">{text}</span>
          {usage && <span className="block opacity-75">{usage}</span>}
        </>
      }
    >
      <button
        type="button"
        aria-label={usage ? `${text}. ${usage}` : text}
        className="mx-auto grid size-9 place-items-center rounded-control"
      >
        {icon}
      </button>
    </Tooltip>
  );
}
