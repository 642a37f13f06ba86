import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { serverText } from "#api/reply.ts";
import { useSwitch } from "#session/use-switch.ts";
import { MenuRadioGroup, MenuSeparator } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { organizationsQuery } from "./organizations-query.ts";

/** Switches between the person's organizations. Nothing for members of one. */
export function OrganizationItems() {
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
