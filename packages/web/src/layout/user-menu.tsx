import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Building2, Keyboard, LogOut, Monitor, Moon, Server, Settings, Sun, UserRound } from "lucide-react";
import { serverText } from "#api/reply.ts";
import { keyboardOverview } from "#keyboard/open-state.ts";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "#preferences/theme.ts";
import { avatarLetter, type SessionUser } from "#session/session-user.ts";
import { signOut } from "#session/sign-out.ts";
import { useSwitch } from "#session/use-switch.ts";
import { Kbd } from "#ui/content/kbd.tsx";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { organizationsQuery } from "./organizations-query.ts";

const themes: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: "light", label: "Light", icon: <Sun aria-hidden strokeWidth={1.75} /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden strokeWidth={1.75} /> },
  { value: "system", label: "System", icon: <Monitor aria-hidden strokeWidth={1.75} /> },
];

interface UserMenuProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
}

export function UserMenu({ user, isDemo }: UserMenuProps) {
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
