import type { ErrorComponentProps } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";

interface ErrorBoundaryState {
  readonly error: Error | undefined;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Message
        icon={CircleAlert}
        tone="critical"
        title="Something went wrong"
        actions={
          <>
            <Button onClick={() => this.setState({ error: undefined })}>Try Again</Button>
            <Button variant="ghost" onClick={() => window.location.reload()}>
              Reload Page
            </Button>
          </>
        }
      >
        <p>{error.message}</p>
      </Message>
    );
  }
}

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
