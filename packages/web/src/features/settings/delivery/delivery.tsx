import {
  type AlertChannel,
  type AlertSettings,
  alertChannels,
  type ChannelField,
  channelForms,
  channelState,
  type ReplyOf,
  testAlertDelivery,
} from "@flamekeep/contract";
import { type UseMutationResult, useMutation, useQuery } from "@tanstack/react-query";
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
import { useState } from "react";
import { call } from "#api/call.ts";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote, LoadingRows } from "#settings/parts/parts.tsx";
import { alertSettingsQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Warning } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ChannelDialog, RemoveChannelDialog } from "./channel-dialog.tsx";
import { targetText } from "./model.ts";

const allTitles = new Intl.ListFormat("en").format(
  alertChannels.map((channel) => channelForms[channel].title),
);

/** Where alerts are sent. Only admins see it, because the addresses are the organization's secrets. */
export function Delivery() {
  const isAdmin = useIsAdmin();
  return (
    <Card>
      <CardHeader
        title="Alert delivery"
        detail="Where to notify when an alert opens or resolves."
        actions={!isAdmin && <AdminNote />}
      />
      {isAdmin ? (
        <Channels />
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted">
          {`${allTitles}. Only admins see which channels are set up.`}
        </p>
      )}
    </Card>
  );
}

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "edit" | "remove"; readonly channel: AlertChannel; readonly settings: AlertSettings };

function Channels() {
  const query = useQuery(alertSettingsQuery);
  const [step, setStep] = useState<Step>({ kind: "list" });
  const close = () => setStep({ kind: "list" });
  return (
    <>
      <Panel
        query={query}
        loading={
          <LoadingRows
            nouns="alert delivery"
            count={alertChannels.length}
            className="h-8 w-72"
            gapClass="gap-8.25"
          />
        }
        errorTitle="Failed to load alert delivery"
      >
        {(settings) => (
          <>
            {settings.problem !== null && (
              <Warning role="alert" className="mx-4 mb-3">
                {settings.problem}
              </Warning>
            )}
            <ul className="divide-y divide-line border-line border-t">
              {alertChannels.map((channel) => (
                <ChannelRow
                  key={channel}
                  channel={channel}
                  settings={settings}
                  onEdit={() => setStep({ kind: "edit", channel, settings })}
                  onRemove={() => setStep({ kind: "remove", channel, settings })}
                />
              ))}
            </ul>
          </>
        )}
      </Panel>
      {step.kind === "edit" && (
        <ChannelDialog channel={step.channel} settings={step.settings} onClose={close} />
      )}
      {step.kind === "remove" && <RemoveChannelDialog channel={step.channel} onClose={close} />}
    </>
  );
}

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
  const { title, inText, purpose, fields } = channelForms[channel];
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
  readonly test: UseMutationResult<ReplyOf<typeof testAlertDelivery>, Error, void>;
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
