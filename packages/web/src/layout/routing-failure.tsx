import type { ErrorComponentProps } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { Button } from "#ui/button.tsx";
import { Message } from "#ui/message.tsx";

export function RoutingFailure({ error }: ErrorComponentProps) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Message
        icon={CircleAlert}
        heading="h1"
        tone="critical"
        title="Unexpected Application Error!"
        actions={<Button onClick={() => window.location.reload()}>Reload Page</Button>}
      >
        <p>{error instanceof Error ? error.message : String(error)}</p>
      </Message>
    </main>
  );
}
