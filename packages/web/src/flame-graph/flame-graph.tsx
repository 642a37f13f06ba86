import type { FlameMeta, FlameView } from "@flamekeep/flame";
import { CircleAlert, Flame } from "lucide-react";
import type { ReactNode } from "react";
import { isEarlyPreview } from "#api/graph-columns.ts";
import { Message } from "#ui/content/message.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { AllFramesContext } from "./decode/all-frames.ts";
import { decodeOnce } from "./decode/decode-flame-graph.ts";
import { useFlameGraph } from "./decode/use-flame-graph.ts";
import { type Program, SourceProvider, useSourceOf } from "./frame/source-links.tsx";
import { StaleGraphProvider } from "./frame/wanted-function.ts";
import { GraphPanel } from "./panel/graph-panel.tsx";
import { singleReading } from "./reading/single.tsx";

export interface FlameGraphProps {
  /** TanStack Query's result with bytes of `flameGraphMediaType`, which are only read. */
  readonly query: {
    readonly data: Uint8Array | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
    /** Whether `data` is of the graph before, while another one loads. */
    readonly isPlaceholderData?: boolean;
  };
  /** Reads the same graph by stored frame, for exports. */
  readonly readStored: (meta: FlameMeta) => Promise<Uint8Array>;
  /** Prefix of the names of exported files. */
  readonly profileId: string;
  /** Heading of exported pages: service, type and time. By default the prefix of their names. */
  readonly titleOf?: (meta: FlameMeta) => string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  /** The program whose source frames open. */
  readonly program?: Program;
  /** More controls for the toolbar. */
  readonly actions?: ReactNode;
  /** More items for the menu of transforms. */
  readonly transformItems?: ReactNode;
  /** How to read the values, in a sentence, where there is room for it. */
  readonly note?: string | undefined;
  /** Leaves the row of the steps out until there is one, which then covers the root. */
  readonly isCompact?: boolean;
  /** Shown if there are no samples. */
  readonly emptyText?: string;
}

/** The flame graph panel: loading, failed with Retry, empty, or the graph with its table, search, zoom and exports. */
export function FlameGraph({
  query,
  readStored,
  emptyText,
  program,
  titleOf,
  profileId,
  ...parts
}: FlameGraphProps) {
  const { view, actions } = parts;
  const sourceOf = useSourceOf(program);
  const decoding = useFlameGraph(query.data, isOverview(view));
  const retry = () => void query.refetch();
  const isIncomplete = query.data === undefined || isEarlyPreview(query.data);
  if (isIncomplete && query.error !== null) {
    return <Failure message={query.error.message} onRetry={retry} actions={actions} />;
  }
  if (query.data === undefined || decoding.state === "decoding")
    return <SkeletonBlocks label="Loading the flame graph" count={1} className="h-[56.5rem] w-full" />;
  if (decoding.state === "unreadable") {
    return <Failure message={decoding.message} onRetry={retry} actions={actions} />;
  }
  const { tree, meta } = decoding.graph;
  if (tree.length < 2 || tree.width[0]! <= 0) {
    return (
      <Message icon={Flame} title="No samples" actions={actions}>
        <p>{emptyText ?? `This profile has no samples of type ${tree.valueType.type}.`}</p>
      </Message>
    );
  }
  return (
    <SourceProvider value={sourceOf}>
      <StaleGraphProvider value={query.isPlaceholderData === true || decoding.bytes !== query.data}>
        <AllFramesContext value={!decoding.isPreview}>
          <GraphPanel
            {...parts}
            graph={tree}
            reading={singleReading}
            name={profileId}
            title={titleOf?.(meta)}
            readStored={async () => (await decodeOnce(await readStored(meta))).tree}
            onRefresh={retry}
            actions={actions}
          />
        </AllFramesContext>
      </StaleGraphProvider>
    </SourceProvider>
  );
}

/** Whether the view shows the widest frames, and nothing that depends on the others. */
function isOverview({ zoom, focus, transforms, search, selectedFunction, pane }: FlameView): boolean {
  return pane === "graph" && [zoom, focus, transforms, search, selectedFunction].every((text) => text === "");
}

interface FailureProps extends Pick<FlameGraphProps, "actions"> {
  readonly message: string;
  readonly onRetry: () => void;
}

/** Keeps the controls that choose the graph, because another one may be readable. */
function Failure({ message, onRetry, actions }: FailureProps) {
  return (
    <Message
      icon={CircleAlert}
      tone="critical"
      title={message || "Failed to load flame graph data"}
      actions={
        <>
          <Button onClick={onRetry}>Retry</Button>
          {actions}
        </>
      }
    />
  );
}
