import { type AlertChannel, type AlertSettings, testAlertDelivery } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import {
  CircleCheck,
  CircleX,
  Hash,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Siren,
  Webhook,
} from "lucide-react";
import { call } from "#api/call.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { channelNames, isSetUp, regionNames } from "./model.ts";

const icons: Record<AlertChannel, LucideIcon> = {
  webhook: Webhook,
  slack: Hash,
  teams: MessagesSquare,
  pagerduty: Siren,
  email: Mail,
};

const purposes: Record<AlertChannel, string> = {
  webhook: "A POST with JSON to an address of yours, signed if you set a secret.",
  slack: "A message through an incoming webhook of a Slack channel.",
  teams: "A card in a channel or chat, through a workflow or an incoming webhook.",
  pagerduty: "An incident for each alert, resolved when the alert is over.",
  email: "A mail to each address of a list.",
};

interface ChannelRowProps {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function ChannelRow({ channel, settings, onEdit, onRemove }: ChannelRowProps) {
  const test = useMutation({ mutationFn: () => call(testAlertDelivery, { body: { channel } }) });
  const { title, inText } = channelNames[channel];
  const isReady = isSetUp(channel, settings);
  const Icon = icons[channel];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon
        aria-hidden
        className="size-4 shrink-0 text-muted max-sm:mt-0.5 max-sm:self-start"
        strokeWidth={1.75}
      />
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex items-center gap-2">
          <span className="font-medium">{title}</span>
          {isReady ? <Badge tone="ok">On</Badge> : <Badge>Off</Badge>}
        </p>
        <p className="text-label text-muted [overflow-wrap:anywhere]">
          {isReady ? targetText(channel, settings) : purposes[channel]}
        </p>
        <TestResult test={test} />
      </div>
      <div className="flex flex-wrap gap-2">
        {isReady && (
          <Button
            size="sm"
            disabled={test.isPending}
            aria-label={test.isPending ? undefined : `Send test to ${inText}`}
            onClick={() => test.mutate()}
          >
            {test.isPending ? "Sending..." : "Send test"}
          </Button>
        )}
        <Button size="sm" aria-label={`${isReady ? "Change" : "Set up"} ${inText}`} onClick={onEdit}>
          {isReady ? "Change" : "Set up"}
        </Button>
        {isReady && (
          <Button size="sm" variant="danger" aria-label={`Remove ${inText}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

/** Where the channel delivers to, as far as the server tells. */
function targetText(channel: AlertChannel, settings: AlertSettings): string {
  if (channel === "email") return settings.emails.join(", ");
  if (channel === "pagerduty") {
    return `An integration key of the ${regionNames[settings.pagerduty.region]} service region`;
  }
  const { origin } = settings[channel];
  const target = origin === null ? "A stored address that cannot be read" : `${origin}/…`;
  if (channel !== "webhook") return target;
  return `${target}, ${settings.webhook.is_signed ? "signed with a secret" : "not signed"}`;
}

interface TestResultProps {
  readonly test: {
    readonly data: { readonly delivered: boolean; readonly message: string } | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
}

function TestResult({ test }: TestResultProps) {
  const delivered = test.error === null && test.data?.delivered === true;
  const message = test.error?.message ?? test.data?.message;
  const Icon = delivered ? CircleCheck : CircleX;
  return (
    <div role="status" className="text-label">
      {!test.isPending && message !== undefined && (
        <p className={delivered ? "mt-1 flex gap-1.5 text-ok-text" : "mt-1 flex gap-1.5 text-critical-text"}>
          <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {delivered ? "Test delivered" : "Test not delivered"}: {message}
          </span>
        </p>
      )}
    </div>
  );
}
