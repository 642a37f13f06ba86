import { Link } from "@tanstack/react-router";
import { Bell, CircleQuestionMark, Menu as MenuIcon } from "lucide-react";
import { plural } from "#format/number.ts";
import type { SessionUser } from "#session/session-user.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { Tooltip } from "#ui/overlays/tooltip.tsx";
import { useCurrentPage, usePageTitle } from "./page-title.ts";
import { useServerStatus } from "./status/server-status.ts";
import { UserMenu } from "./user-menu.tsx";

interface HeaderProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
  readonly onOpenMenu: () => void;
}

export function Header({ user, isDemo, onOpenMenu }: HeaderProps) {
  const { title, subtitle } = useCurrentPage();
  usePageTitle(title);
  return (
    <header className="sticky top-0 z-30 flex h-16 shrink-0 items-center gap-1 border-line border-b bg-surface px-4 md:gap-2 md:px-6">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open navigation"
        className="-ml-2 md:hidden"
        onClick={onOpenMenu}
      >
        <MenuIcon aria-hidden className="size-5" strokeWidth={1.75} />
      </Button>
      <div className="min-w-0 flex-1">
        {title && (
          <>
            <h1 className="truncate font-semibold text-[1.0625rem] leading-6 tracking-tight">{title}</h1>
            <p className="truncate text-label text-muted">{subtitle}</p>
          </>
        )}
      </div>
      {isDemo && (
        <Badge
          tone="accent"
          className="mr-1"
          title="You are looking at the demo organization; nothing can be changed"
        >
          Demo
        </Badge>
      )}
      <Notifications />
      <Tooltip content="Help & Documentation" delay={300} side="bottom">
        <a
          href="/docs"
          target="_blank"
          rel="noreferrer"
          aria-label="Help & Documentation"
          className={buttonClass("ghost", "icon")}
        >
          <CircleQuestionMark aria-hidden className="size-4" strokeWidth={1.75} />
        </a>
      </Tooltip>
      <UserMenu user={user} />
    </header>
  );
}

function Notifications() {
  const { data: status } = useServerStatus();
  const count = status?.open_alerts ?? 0;
  const label = count === 0 ? "Notifications" : `Notifications: ${plural(count, "open alert")}`;
  return (
    <Tooltip content={label} delay={300} side="bottom">
      <Link to="/alerts" aria-label={label} className={cx(buttonClass("ghost", "icon"), "relative")}>
        <Bell aria-hidden className="size-4" strokeWidth={1.75} />
        {count > 0 && (
          <span className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-critical px-1 font-medium text-[0.625rem] text-surface leading-none">
            {count}
          </span>
        )}
      </Link>
    </Tooltip>
  );
}
