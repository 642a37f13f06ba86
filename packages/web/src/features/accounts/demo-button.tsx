import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { configQuery } from "#api/query-client.ts";
import { enterDemo } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { useReturn } from "./use-return.ts";

export function DemoButton() {
  const { goOn } = useReturn();
  const { data: config } = useQuery(configQuery);
  if (config?.demo !== true) return null;

  function open() {
    enterDemo();
    void goOn();
  }

  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="flex items-center gap-3 text-label text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or look around first
      </div>
      <Button size="lg" className="w-full" onClick={open}>
        <Play aria-hidden className="size-4" strokeWidth={1.75} />
        Try the demo
      </Button>
    </div>
  );
}
