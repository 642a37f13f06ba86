import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { Card, CardHeader, type CardHeaderProps } from "./card.tsx";
import { Message } from "./message.tsx";

/** The fields of TanStack Query's result that a panel uses. */
export interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}

interface PanelProps<T> {
  readonly query: PanelQuery<T>;
  /** A placeholder of the content's size. */
  readonly loading: ReactNode;
  readonly errorTitle: string;
  readonly errorActions?: ReactNode;
  /** The level of the error's title: h1 where the page has no other heading then. */
  readonly errorHeading?: "h1" | "h2";
  /** Replaces the content of a reply, unless it returns null. */
  readonly empty?: (value: T) => ReactNode;
  readonly children: (value: T) => ReactNode;
}

/** Shows a query's loading, error, empty or data state. A failed refetch keeps the last data. */
export function Panel<T>({ query, loading, errorHeading = "h2", empty, children, ...failed }: PanelProps<T>) {
  const error = useLastError(query);
  if (query.data === undefined) {
    if (error === null) return loading;
    return (
      <Message
        icon={CircleAlert}
        tone="critical"
        title={failed.errorTitle}
        heading={errorHeading}
        actions={
          <>
            <Button onClick={() => query.refetch()}>Try Again</Button>
            {failed.errorActions}
          </>
        }
      >
        <p>{error.message}</p>
      </Message>
    );
  }
  const nothing = empty?.(query.data) ?? null;
  if (nothing !== null) return nothing;
  return (
    <div className={query.isPlaceholderData ? "opacity-55 transition-opacity duration-150" : "contents"}>
      {children(query.data)}
    </div>
  );
}

export interface PanelCardProps<T> extends PanelProps<T>, CardHeaderProps {
  readonly className?: string;
  /** Below the reply, and below what is there without one. */
  readonly footer?: ReactNode;
}

/** A card whose content is the reply of a query. */
export function PanelCard<T>({ className, title, detail, actions, footer, ...panel }: PanelCardProps<T>) {
  return (
    <Card className={className}>
      <CardHeader title={title} detail={detail} actions={actions} />
      <Panel {...panel} />
      {footer}
    </Card>
  );
}
