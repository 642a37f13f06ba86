import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { senderQuery } from "./queries.ts";
import { ReceivedStrip, SenderBadge } from "./sender-mark.tsx";

/** Whether the service sends, and when it did in the last day. */
export function DataReceived({ service }: { readonly service: string }) {
  const query = useQuery(senderQuery(service));
  return (
    <PanelCard
      className="min-w-0"
      title="Data received"
      detail="Uploads of the last 24 hours"
      actions={
        <SenderLink service={service} className={buttonClass("secondary", "sm")}>
          Instances and keys
        </SenderLink>
      }
      query={query}
      loading={<Skeleton className="mx-4 mb-4 h-5" />}
      errorTitle="Failed to load the senders"
    >
      {({ senders: [sender] }) => (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pb-4">
          {sender === undefined ? (
            <p className="text-muted">No uploads in the last days.</p>
          ) : (
            <>
              <SenderBadge sender={sender} />
              <span className="text-label text-muted">
                last upload <RelativeTime at={sender.last_received_at} />
              </span>
              <span className="min-w-40 flex-1">
                <ReceivedStrip received={sender.received} />
              </span>
            </>
          )}
        </div>
      )}
    </PanelCard>
  );
}

interface SenderLinkProps {
  readonly service: string;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** The row of a service on the page of senders: why nothing arrives. */
export function SenderLink({
  service,
  className = buttonClass("secondary"),
  children = "Why is there no data?",
}: SenderLinkProps) {
  return (
    <Link to="/senders" search={{ service }} className={className}>
      {children}
    </Link>
  );
}
