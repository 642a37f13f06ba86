import { CircleQuestionMark, Menu as MenuIcon, Search } from "lucide-react";
import { palette } from "#keyboard/open-state.ts";
import { keysText } from "#keyboard/shortcuts.ts";
import type { SessionUser } from "#session/session-user.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Kbd } from "#ui/content/kbd.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { Tooltip } from "#ui/overlays/tooltip.tsx";
import { fromBase } from "#url/base-path.ts";
import { headerSlot } from "./header-slot.tsx";
import { Notifications } from "./notifications/notifications.tsx";
import { useCurrentPage, usePageTitle } from "./page-title.ts";
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
    <header className="print:hidden sticky top-0 z-30 flex h-16 shrink-0 items-center gap-1 border-line border-b bg-surface px-4 md:gap-2 md:px-6">
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
            {/* On phones the controls leave no room for it. */}
            <p className="truncate text-label text-muted max-sm:sr-only">{subtitle}</p>
          </>
        )}
        <div ref={headerSlot} className="contents" />
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
      <FindButton />
      <Notifications />
      <Tooltip content="Help & Documentation" delay={300} side="bottom">
        <a
          href={fromBase("/docs")}
          target="_blank"
          rel="noreferrer"
          aria-label="Help & Documentation"
          className={buttonClass("ghost", "icon")}
        >
          <CircleQuestionMark aria-hidden className="size-4" strokeWidth={1.75} />
        </a>
      </Tooltip>
      <UserMenu user={user} isDemo={isDemo} />
    </header>
  );
}

/** Opens the palette; as wide as a search box on desktops, so that people find it without its key. */
function FindButton() {
  return (
    <button
      type="button"
      title="Find a page, service, function, profile or action"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={palette.open}
      className={cx(
        buttonClass("secondary", "md"),
        "border-line! text-muted! max-lg:size-9 max-lg:border-transparent! max-lg:bg-transparent! max-lg:px-0! lg:w-56 lg:justify-start! lg:px-2.5!",
      )}
    >
      <Search aria-hidden className="size-4" strokeWidth={1.75} />
      <span className="flex-1 text-left max-lg:sr-only">Find anything</span>
      <span aria-hidden className="max-lg:hidden">
        <Kbd>{keysText("Mod K")}</Kbd>
      </span>
    </button>
  );
}
