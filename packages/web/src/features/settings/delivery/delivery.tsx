import { type AlertChannel, type AlertSettings, alertChannels } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote } from "#settings/admin-note.tsx";
import { alertSettingsQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import { ChannelRow } from "./channel-row.tsx";
import { formOf } from "./model.ts";
import { RemoveChannelDialog } from "./remove-channel-dialog.tsx";

const allTitles = new Intl.ListFormat("en").format(alertChannels.map((channel) => formOf(channel).title));

/** Where alerts are sent. Only admins see it, because the addresses are the organization's secrets. */
export function Delivery() {
  const isAdmin = useIsAdmin();
  return (
    <Card>
      <CardHeader
        title="Alert delivery"
        detail="Where a message goes when an alert opens and when it is over."
        actions={!isAdmin && <AdminNote />}
      />
      {isAdmin ? (
        <Channels />
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted">
          {`${allTitles}. Only admins see which of them are set up.`}
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
      <Panel query={query} loading={<ChannelsSkeleton />} errorTitle="Failed to load alert delivery">
        {(settings) => (
          <>
            {settings.problem !== null && <DeliveryProblem text={settings.problem} />}
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

function DeliveryProblem({ text }: { readonly text: string }) {
  return (
    <p
      role="alert"
      className="mx-4 mb-3 flex gap-2 rounded-control bg-warning/12 px-3 py-2.5 text-warning-text"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      <span>{text}</span>
    </p>
  );
}

function ChannelsSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading alert delivery"
      className="divide-y divide-line border-line border-t"
    >
      {alertChannels.map((channel) => (
        <div key={channel} className="flex h-16 items-center gap-4 px-4">
          <Skeleton className="h-8 w-72" />
        </div>
      ))}
    </div>
  );
}
