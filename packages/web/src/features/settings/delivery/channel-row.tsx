import {
  type AlertChannel,
  type AlertSettings,
  type ChannelField,
  channelState,
  testAlertDelivery,
} from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import {
  CircleCheck,
  CircleX,
  Hash,
  KeyRound,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Siren,
  Webhook,
} from "lucide-react";
import { call } from "#api/call.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formOf, targetText } from "./model.ts";

/** Other channels have the icon of their first field. */
const icons: Partial<Record<AlertChannel, LucideIcon>> = {
  slack: Hash,
  teams: MessagesSquare,
  pagerduty: Siren,
};
const kindIcons: Record<ChannelField["kind"], LucideIcon> = {
  url: Webhook,
  key: KeyRound,
  secret: KeyRound,
  choice: KeyRound,
  list: Mail,
};

interface ChannelRowProps {
  readonly channel: AlertChannel;
  readonly settings: AlertSettings;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function ChannelRow({ channel, settings, onEdit, onRemove }: ChannelRowProps) {
  const test = useMutation({ mutationFn: () => call(testAlertDelivery, { body: { channel } }) });
  const { title, inText, purpose, fields } = formOf(channel);
  const isReady = channelState(settings, channel).is_set;
  const Icon = icons[channel] ?? kindIcons[fields[0]?.kind ?? "url"];
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
          {isReady ? targetText(channel, settings) : purpose}
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
