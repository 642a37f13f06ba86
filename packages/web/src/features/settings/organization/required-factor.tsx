import { type Organization, requireSecondFactor } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { plural } from "#format/number.ts";
import { organizationQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** Whether every member needs a second factor. */
export function RequiredFactor({ organization }: { readonly organization: Organization }) {
  const client = useQueryClient();
  const { requires_second_factor: isRequired, members_without_second_factor: without } = organization;
  const change = useMutation({
    mutationFn: () => call(requireSecondFactor, { body: { is_required: !isRequired } }),
    onSuccess: (changed) => {
      client.setQueryData(organizationQuery.queryKey, changed);
      showToast(
        changed.requires_second_factor
          ? "A second factor is required now"
          : "A second factor is optional now",
      );
    },
    onError: (error) => showToast(serverText(error, "Failed to change the requirement"), "critical"),
  });
  return (
    <Card>
      <CardHeader
        title="Second factor of members"
        detail={detailOf(isRequired, without)}
        actions={
          <Button disabled={change.isPending} onClick={() => change.mutate()}>
            {isRequired ? "Make it optional" : "Require a second factor"}
          </Button>
        }
      />
    </Card>
  );
}

function detailOf(isRequired: boolean, without: number | null): string {
  const rule = isRequired
    ? "Required: members without one cannot use this organization until they set one up."
    : "Optional. API keys need none.";
  // Only admins get the number.
  if (without === null) return rule;
  return `${rule} ${without === 0 ? "Every member has one." : `${plural(without, "member")} without one.`}`;
}
