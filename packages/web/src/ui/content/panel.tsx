import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { Message } from "./message.tsx";

/** The part of a query a panel needs; TanStack Query's result fits as it comes. */
interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}

interface PanelProps<T> {
  readonly query: PanelQuery<T>;
  /** A picture of the content's size while nothing is known yet. */
  readonly loading: ReactNode;
  readonly errorTitle: string;
  readonly errorActions?: ReactNode;
  /** Called with the reply; anything but null is shown in place of the content. */
  readonly empty?: (value: T) => ReactNode;
  readonly children: (value: T) => ReactNode;
}

/** Loading, error, empty, data. A failed refresh keeps the last good content. */
export function Panel<T>({ query, loading, errorTitle, errorActions, empty, children }: PanelProps<T>) {
  const error = useLastError(query);
  if (query.data === undefined) {
    if (error === null) return loading;
    return (
      <Message
        icon={CircleAlert}
        tone="critical"
        title={errorTitle}
        actions={
          <>
            <Button onClick={() => query.refetch()}>Try Again</Button>
            {errorActions}
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
