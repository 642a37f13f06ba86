import { type AlertChannel, type AlertSettings, limits } from "@flamekeep/contract";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { EmailFields, PagerDutyFields, UrlField, WebhookFields } from "./channel-fields.tsx";
import { changeOf, channelNames, draftOf, problemsOf } from "./model.ts";
import { useSettingsChange } from "./use-settings-change.ts";

interface ChannelDialogProps {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
  readonly onClose: () => void;
}

const titles: Record<AlertChannel, string> = {
  webhook: "Send alerts to a webhook",
  slack: "Send alerts to Slack",
  teams: "Send alerts to Microsoft Teams",
  pagerduty: "Send alerts to PagerDuty",
  email: "Send alerts by e-mail",
};

const descriptions: Record<AlertChannel, string> = {
  webhook:
    "Flamekeep sends a POST with JSON when an alert opens and when it is over, and repeats it until it is accepted.",
  slack: "Create an incoming webhook for the channel in Slack, and enter its URL here.",
  teams:
    "In Teams, set up the workflow for webhook alerts in the channel or chat, and enter its URL here. The URL of an incoming webhook works too.",
  pagerduty:
    "Add an Events API v2 integration to a service in PagerDuty, and enter its integration key here. A test opens an incident and resolves it at once.",
  email: `A mail to each address, at most ${limits.alertEmailsMax} of them.`,
};

export function ChannelDialog(props: ChannelDialogProps) {
  const { channel, onClose } = props;
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={titles[channel]}
      description={descriptions[channel]}
    >
      <ChannelForm {...props} />
    </Dialog>
  );
}

function ChannelForm({ channel, settings, onClose }: ChannelDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const saving = useSettingsChange(`${channelNames[channel].title} is saved`, onClose);
  const form = useCheckedForm(
    () => problemsOf(channel, draft, settings),
    () => saving.mutate(changeOf(channel, draft)),
  );
  const fields = {
    draft,
    settings,
    hintOf: form.hintOf,
    onChange: (part: Partial<typeof draft>) => setDraft({ ...draft, ...part }),
  };
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={saving.error ? serverText(saving.error, "Failed to save alert delivery") : undefined}
      />
      {channel === "webhook" && <WebhookFields {...fields} />}
      {channel === "slack" && <UrlField {...fields} channel="slack" />}
      {channel === "teams" && <UrlField {...fields} channel="teams" />}
      {channel === "pagerduty" && <PagerDutyFields {...fields} />}
      {channel === "email" && <EmailFields {...fields} />}
      <DialogActions
        label={saving.isPending ? "Saving..." : "Save"}
        isDisabled={saving.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
