import { serverStatus, toPath } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { placeholderKey } from "#api/call.ts";
import { enterDemo } from "#api/session.ts";
import { Button } from "#ui/button.tsx";

/** A server with its demo on answers the placeholder key; with its demo off it does not. */
async function isDemoOn(signal: AbortSignal): Promise<boolean> {
  const response = await fetch(toPath(serverStatus), {
    headers: { Authorization: `Bearer ${placeholderKey}` },
    signal,
  });
  return response.ok;
}

export function DemoButton() {
  const navigate = useNavigate();
  const { data: isOn } = useQuery({
    queryKey: ["demo"],
    queryFn: ({ signal }) => isDemoOn(signal),
    retry: false,
  });
  if (isOn !== true) return null;

  function open() {
    enterDemo();
    void navigate({ to: "/dashboard" });
  }

  return (
    <>
      <div className="flex items-center gap-3 text-label text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or look around first
      </div>
      <Button size="lg" className="w-full" onClick={open}>
        <Play aria-hidden className="size-4" strokeWidth={1.75} />
        Try the demo
      </Button>
    </>
  );
}
