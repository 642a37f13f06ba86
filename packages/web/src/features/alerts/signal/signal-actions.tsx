import type { Alert } from "@flamekeep/contract";
import { CompareLink } from "#alert-list/compare-link.tsx";
import { HandlingMenu } from "#alert-list/handling-menu.tsx";
import { MuteMenu } from "#alert-list/mute-menu.tsx";
import { useMayChange } from "#session/session.ts";
import { WhatChanged } from "./what-changed.tsx";

/** The actions of one signal: explain, compare, mute, acknowledge, mark as expected. */
export function SignalActions({ alert }: { readonly alert: Alert }) {
  const mayChange = useMayChange();
  return (
    <span className="flex items-center justify-end">
      <WhatChanged alert={alert} />
      <CompareLink alert={alert} />
      {mayChange && <MuteMenu alert={alert} />}
      {mayChange && <HandlingMenu alert={alert} />}
    </span>
  );
}
