import { useState } from "react";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";

interface AddLabelProps {
  /** The labels that the CPU samples have. */
  readonly labels: readonly string[];
  readonly path: string;
  readonly method: string;
}

const ways = { go: "Go", sdk: "Pyroscope SDK for Go" } as const;
type Way = keyof typeof ways;

/** How a program names the route in its profiles. */
export function AddLabel({ labels, path, method }: AddLabelProps) {
  const [way, setWay] = useState<Way>("go");
  const route = method === "" ? path : `${method} ${path}`;
  return (
    <section aria-label="Label the route" className="mt-4 border-line border-t pt-4">
      <h3 className="font-medium">No label of the CPU profiles names this route</h3>
      <p className="mt-0.5 mb-3 max-w-3xl text-muted">
        Label the work of each request with its route. Its CPU time, its waits and its flame graph then appear
        here. {labels.length > 0 && "If a label above identifies the route, choose it."}
      </p>
      <SegmentedControl label="Way to add the label" value={way} options={ways} onChange={setWay} />
      <div className="mt-3 max-w-3xl">
        <CodeBlock code={codeOf(way, route)} label="Copy the code" />
      </div>
    </section>
  );
}

/** The route as a string of Go. */
function codeOf(way: Way, route: string): string {
  const text = JSON.stringify(route);
  const call =
    way === "go"
      ? `pprof.Do(r.Context(), pprof.Labels("http.route", ${text}), func(ctx context.Context) {`
      : `pyroscope.TagWrapper(r.Context(), pyroscope.Labels("http.route", ${text}), func(ctx context.Context) {`;
  return `${way === "go" ? `import "runtime/pprof"` : `import "github.com/grafana/pyroscope-go"`}

${call}
	serve(w, r.WithContext(ctx))
})
`;
}
