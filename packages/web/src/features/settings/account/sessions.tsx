import { type AccountSession, endSession, endSessions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Globe, Monitor, Smartphone, Terminal } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { announceLogout, useIsDemo } from "#session/session.ts";
import { ListCard, LoadingRows } from "#settings/parts/parts.tsx";
import { sessionsQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { ClockTime, RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "all" }
  | { readonly kind: "end"; readonly session: AccountSession };

export function Sessions() {
  const isDemo = useIsDemo();
  const [step, setStep] = useState<Step>({ kind: "list" });
  const query = useQuery(sessionsQuery);
  const close = () => setStep({ kind: "list" });
  return (
    <>
      <ListCard
        title="Sessions"
        detail="Where you are signed in. Sign out sessions you do not recognize, then change your password."
        actions={
          isDemo ? (
            <ReadOnlyNote />
          ) : (
            <Button variant="danger" onClick={() => setStep({ kind: "all" })}>
              Sign out everywhere
            </Button>
          )
        }
        query={query}
        nouns="sessions"
        loading={<LoadingRows nouns="sessions" count={2} className="h-8 w-56" />}
        items={({ sessions }) => sessions}
        nothing={
          <p className="border-line border-t px-4 py-6 text-muted">Visitors of the demo have no sessions.</p>
        }
      >
        {(session) => <SessionRow session={session} onEnd={() => setStep({ kind: "end", session })} />}
      </ListCard>
      {step.kind === "end" && <EndSessionDialog session={step.session} onClose={close} />}
      {step.kind === "all" && <SignOutEverywhereDialog onClose={close} />}
    </>
  );
}

interface SessionRowProps {
  readonly session: AccountSession;
  readonly onEnd: () => void;
}

const places: Record<AccountSession["place"], string> = {
  "this machine": "This server's machine",
  "local network": "Local network",
  internet: "Internet",
  unknown: "Unknown location",
};

const icons: Record<AccountSession["device_kind"], typeof Monitor> = {
  computer: Monitor,
  phone: Smartphone,
  program: Terminal,
  unknown: Globe,
};

export function SessionRow({ session, onEnd }: SessionRowProps) {
  const { device, device_kind, address, place, created_at, last_used_at, is_current } = session;
  const Icon = icons[device_kind];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 px-4 py-3 lg:grid-cols-[auto_minmax(0,1fr)_8rem_8rem_5rem]">
      <Icon aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{device}</span>
          {is_current && <Badge tone="ok">This session</Badge>}
        </p>
        <p className="truncate text-label text-muted">
          {places[place]}
          {address !== null && <span className="font-mono"> {address}</span>}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4 text-label max-lg:order-last max-lg:col-span-2 max-lg:col-start-2 lg:contents">
        <p>
          <span className="text-muted lg:block">Signed in </span>
          <ClockTime at={created_at} />
        </p>
        <p>
          <span className="text-muted lg:block">Last used </span>
          {is_current ? "Now" : <RelativeTime at={last_used_at} />}
        </p>
      </div>
      <span className="text-right">
        {!is_current && (
          <Button size="sm" variant="danger" onClick={onEnd} aria-label={`End the session of ${device}`}>
            End
          </Button>
        )}
      </span>
    </li>
  );
}

function EndSessionDialog({ session, onClose }: Closable & { readonly session: AccountSession }) {
  return (
    <ConfirmDialog
      title={`End the session of ${session.device}?`}
      description="That browser has to sign in again."
      action="End session"
      failure="Failed to end the session"
      send={() => call(endSession, { params: { id: session.id } })}
      done={() => `The session of ${session.device} has ended`}
      stale={[sessionsQuery]}
      onClose={onClose}
    />
  );
}

function SignOutEverywhereDialog({ onClose }: Closable) {
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      description="Ends all of your sessions, including this one. API keys keep working."
      action="Sign out everywhere"
      failure="Failed to end the sessions"
      send={() => call(endSessions)}
      onSent={announceLogout}
      onClose={onClose}
    />
  );
}
