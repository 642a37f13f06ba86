import { type AnyRouter, useLocation, useRouter } from "@tanstack/react-router";
import { Info, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Button } from "#ui/controls/button.tsx";
import { openedAddress, openedAddressNotice } from "#url/opened-address.ts";
import { type IgnoredValue, ignoredSegment, ignoredValues, insteadOf } from "./ignored-values.ts";

/** Says which values of the address that the app was opened with are not used, until the person leaves the page. */
export function AddressNotice() {
  const router = useRouter();
  const { pathname } = useLocation();
  const { label } = useTimeRange();
  const [first] = useState(() => ({ pathname, ignored: ignoredOf(router, pathname) }));
  const [isClosed, setClosed] = useState(openedAddressNotice.isDone);
  const isOver = isClosed || pathname !== first.pathname;
  // The layout is made again after every sign-in, and must not bring the notice back.
  useEffect(() => {
    if (isOver) openedAddressNotice.isDone = true;
  }, [isOver]);
  if (isOver && !isClosed) setClosed(true);
  if (isOver || first.ignored.length === 0) return null;
  const instead = insteadOf(first.ignored, label);
  return (
    <div
      role="status"
      className="mb-4 flex items-center gap-2 rounded-control border border-line bg-surface py-1 pr-1 pl-3 text-label"
    >
      <Info aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        Not used from this address: {first.ignored.map(({ name, value }) => `${name} “${value}”`).join(", ")}.
        {instead.length > 0 && <span className="text-muted"> Shown instead: {instead.join(", ")}.</span>}
      </p>
      <Button
        variant="ghost"
        size="icon"
        className="size-7!"
        aria-label="Close"
        onClick={() => setClosed(true)}
      >
        <X aria-hidden className="size-3.5" strokeWidth={1.75} />
      </Button>
    </div>
  );
}

function ignoredOf(router: AnyRouter, pathname: string): IgnoredValue[] {
  const [, params, route] = router.getMatchedRoutes(openedAddress.pathname);
  const segment = ignoredSegment(params.type);
  const ofPath = segment === undefined ? [] : [segment];
  const read: unknown = route?.options.validateSearch;
  // An address can lead on to another page, which has other parameters.
  if (typeof read !== "function" || pathname !== openedAddress.pathname) return ofPath;
  const raw = router.options.parseSearch(openedAddress.search);
  return [...ofPath, ...ignoredValues(raw, read(raw))];
}
