import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  Bell,
  Building2,
  CircleQuestionMark,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  Server,
  Settings,
  Sun,
  UserPlus,
  UserRound,
} from "lucide-react";
import { cloneElement, Suspense, useState } from "react";
import { importOnce, lazyPart } from "#api/import-page.ts";
import { serverText } from "#api/reply.ts";
import { useIsLoadingDemo } from "#api/status-query.ts";
import { plural } from "#format/number.ts";
import { keyboardOverview, palette } from "#keyboard/open-state.ts";
import { keysText } from "#keyboard/shortcuts.ts";
import { useServerStatus } from "#layout/status/server-status.ts";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "#preferences/theme.ts";
import { useIsAdmin } from "#session/session.ts";
import { avatarLetter, type SessionUser } from "#session/session-user.ts";
import { signOut } from "#session/sign-out.ts";
import { useSwitch } from "#session/use-switch.ts";
import { usePageAddress } from "#time-range/page-address.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Kbd } from "#ui/content/kbd.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from "#ui/controls/menu.tsx";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { Tooltip } from "#ui/overlays/tooltip.tsx";
import { fromBase } from "#url/base-path.ts";
import { headerSlot } from "./header-slot.tsx";
import { organizationsQuery } from "./organizations-query.ts";
import { useCurrentPage, usePageTitle } from "./page-title.ts";

const InviteToView = lazyPart(async () => (await import("./invite-dialog.tsx")).InviteToView);

interface HeaderProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
  readonly onOpenMenu: () => void;
}

export function Header({ user, isDemo, onOpenMenu }: HeaderProps) {
  const { title, subtitle, sectionTitle } = useCurrentPage();
  const isLoading = useIsLoadingDemo();
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
      <div data-testid="page-place" className="min-w-0 flex-1">
        {title && (
          <>
            <h1 className="wrap-anywhere max-sm:line-clamp-2 font-semibold text-[1.0625rem] leading-6 tracking-tight max-sm:text-body max-sm:leading-5 sm:truncate">
              {title}
            </h1>
            {/* On phones the controls leave no room for it. */}
            <p className="truncate text-label text-muted max-sm:sr-only">{subtitle}</p>
          </>
        )}
        <div ref={headerSlot} className="peer contents" />
        {!title && <p className="hidden truncate text-label text-muted peer-empty:block">{sectionTitle}</p>}
      </div>
      {isDemo && (
        <Badge tone="accent" className="mr-1" title="Demo organization, read-only">
          Demo
          {/* On phones it would leave no room for the title. */}
          {isLoading && <span className="max-sm:sr-only">: loading data</span>}
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

export const loadPalette = importOnce(() => import("./palette/palette.tsx"));
const preparePalette = () => void loadPalette().catch(console.warn);

/** Opens the palette; as wide as a search box on desktops, so that people find it without its key. */
function FindButton() {
  return (
    <button
      type="button"
      title="Find a page, service, function, profile or action"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={preparePalette}
      onFocus={preparePalette}
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

const loadNotifications = importOnce(() => import("./alerts-popover.tsx"));

/** The number of open alerts, and a list that leads to them. */
function Notifications() {
  const { data: status } = useServerStatus();
  const { used, triggerProps } = useFirstUse(loadNotifications, "dialog");
  const count = status?.open_alerts ?? 0;
  const label = count === 0 ? "Notifications" : `Notifications: ${plural(count, "open alert")}`;
  const trigger = (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(buttonClass("ghost", "icon"), "relative")}
    >
      <Bell aria-hidden className="size-4" strokeWidth={1.75} />
      {count > 0 && (
        <span className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-critical px-1 font-medium text-[0.625rem] text-surface leading-none">
          {count > 99 ? "99+" : count}
        </span>
      )}
    </button>
  );
  if (used === undefined) return cloneElement(trigger, triggerProps);
  return <used.parts.AlertsPopover trigger={trigger} />;
}

const themes: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: "light", label: "Light", icon: <Sun aria-hidden strokeWidth={1.75} /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden strokeWidth={1.75} /> },
  { value: "system", label: "System", icon: <Monitor aria-hidden strokeWidth={1.75} /> },
];

interface UserMenuProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
}

function UserMenu({ user, isDemo }: UserMenuProps) {
  const isAdmin = useIsAdmin();
  const addressNow = usePageAddress();
  const [invitedTo, setInvitedTo] = useState<string>();
  return (
    <>
      <PersonMenu
        {...{ user, isDemo }}
        onInvite={isAdmin ? () => setInvitedTo(addressNow().fixed) : undefined}
      />
      <Suspense>
        {invitedTo !== undefined && (
          <InviteToView address={invitedTo} onClose={() => setInvitedTo(undefined)} />
        )}
      </Suspense>
    </>
  );
}

interface InvitingProps extends Pick<UserMenuProps, "user"> {
  readonly onInvite: (() => void) | undefined;
}

function PersonMenu({ user, isDemo, onInvite }: UserMenuProps & InvitingProps) {
  const theme = useThemeChoice();
  const navigate = useNavigate();

  async function logOut() {
    await Promise.all([signOut(), navigate({ to: "/login", replace: true })]);
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="User menu"
          className="grid size-10 place-items-center rounded-full md:ml-1 md:size-8"
        >
          <Avatar user={user} />
        </button>
      }
    >
      <div className="px-2.5 pt-2 pb-2.5">
        <p className="truncate font-medium">{user.name.trim() || "User"}</p>
        <p className="truncate text-label text-muted">{user.email}</p>
        <p className="truncate text-label text-muted">{user.organization.name}</p>
      </div>
      <MenuSeparator />
      {!isDemo && <OrganizationItems />}
      <PersonItems user={user} onInvite={onInvite} />
      <MenuSeparator />
      <p className="px-2.5 pt-1 pb-0.5 text-label text-muted">Theme</p>
      <MenuRadioGroup label="Theme" value={theme} options={themes} onChange={chooseTheme} />
      <MenuSeparator />
      <MenuItem onSelect={keyboardOverview.open}>
        <Keyboard aria-hidden strokeWidth={1.75} />
        <span className="flex-1">Keyboard shortcuts</span>
        <Kbd>?</Kbd>
      </MenuItem>
      <MenuItem onSelect={() => void logOut()}>
        <LogOut aria-hidden strokeWidth={1.75} />
        Log out
      </MenuItem>
    </Menu>
  );
}

function PersonItems({ user, onInvite }: InvitingProps) {
  return (
    <>
      {onInvite && (
        <MenuItem onSelect={onInvite}>
          <UserPlus aria-hidden strokeWidth={1.75} />
          Invite to this view
        </MenuItem>
      )}
      <MenuItem render={<Link to="/settings" search={{ tab: "account" }} />}>
        <UserRound aria-hidden strokeWidth={1.75} />
        Profile
      </MenuItem>
      <MenuItem render={<Link to="/settings" />}>
        <Settings aria-hidden strokeWidth={1.75} />
        Settings
      </MenuItem>
      {user.is_operator && (
        <MenuItem render={<Link to="/operator" />}>
          <Server aria-hidden strokeWidth={1.75} />
          Operator
        </MenuItem>
      )}
    </>
  );
}

function Avatar({ user }: Pick<UserMenuProps, "user">) {
  return (
    <span className="relative grid size-8 place-items-center rounded-full bg-accent/14 font-semibold text-accent-text">
      {user.avatar ? <img src={user.avatar} alt="" className="size-8 rounded-full" /> : avatarLetter(user)}
      <span className="absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-surface bg-ok" />
    </span>
  );
}

/** Switches between the person's organizations. Nothing for members of one. */
function OrganizationItems() {
  const navigate = useNavigate();
  const { data } = useQuery(organizationsQuery);
  const { mutate } = useSwitch(() => void navigate({ to: "/dashboard" }));
  const organizations = data?.organizations ?? [];
  const current = organizations.find(({ is_current }) => is_current);
  if (organizations.length < 2 || current === undefined) return null;
  const options = organizations.map(({ id, name }) => ({
    value: id,
    label: name,
    icon: <Building2 aria-hidden strokeWidth={1.75} />,
  }));
  const choose = (id: string) =>
    mutate(id, {
      onError: (error) => showToast(serverText(error, "Failed to switch the organization")),
    });
  return (
    <>
      <p className="px-2.5 pt-1 pb-0.5 text-label text-muted">Organization</p>
      <MenuRadioGroup label="Organization" value={current.id} options={options} onChange={choose} />
      <MenuSeparator />
    </>
  );
}
