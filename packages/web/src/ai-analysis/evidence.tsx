import { functionLink, type Recommendation } from "@flamekeep/contract";
import { percentText } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { FunctionName } from "#ui/content/function-name.tsx";
import type { FindFunction } from "./model.ts";

type RecommendationEvidence = Recommendation["evidence"];
type EvidenceFunction = RecommendationEvidence["functions"][number];

interface EvidenceProps {
  readonly evidence: RecommendationEvidence;
  /** Shows all functions and the call path, otherwise only the first function. */
  readonly isOpen: boolean;
  readonly onFind: FindFunction;
}

/** The functions that a recommendation is about. A click finds one in the flame graph. */
export function Evidence({ evidence, isOpen, onFind }: EvidenceProps) {
  const { functions, path, sample_type: sampleType } = evidence;
  const find = (name: string) => onFind(name, sampleType);
  const visible = isOpen ? functions : functions.slice(0, 1);
  if (visible.length === 0) return null;
  return (
    <div className="mt-2">
      <ul aria-label="Evidence" className="flex flex-col gap-0.5">
        {visible.map((each) => (
          <FunctionRow key={functionLink(each)} evidence={each} onFind={find} />
        ))}
      </ul>
      {isOpen && path.length > 1 && <CallPath path={path} onFind={find} />}
    </div>
  );
}

interface FunctionRowProps {
  readonly evidence: EvidenceFunction;
  readonly onFind: (functionName: string) => void;
}

function FunctionRow({ evidence, onFind }: FunctionRowProps) {
  const { name, file, line, self_percent: self, total_percent: total, verified } = evidence;
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <FunctionName name={name} linkText={functionLink(evidence)} {...(verified && { onFind })} />
      {verified ? (
        <span className="text-label text-muted">
          {percentText(total)} with all it calls, {percentText(self)} self
        </span>
      ) : (
        <Badge title="A language model named this function, but the profile does not contain it">
          not in the profile
        </Badge>
      )}
      {file !== "" && (
        <span className="text-label text-muted" title={file}>
          {lineOf(file, line)}
        </span>
      )}
    </li>
  );
}

function lineOf(file: string, line: number): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return line > 0 ? `${name}:${line}` : name;
}

interface CallPathProps {
  readonly path: readonly string[];
  readonly onFind: (functionName: string) => void;
}

function CallPath({ path, onFind }: CallPathProps) {
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded-badge text-label text-muted hover:text-text">
        Call path, {path.length} frames
      </summary>
      <ol
        aria-label="Call path, root first"
        className="mt-1 rounded-control border border-line bg-bg px-3 py-2"
      >
        {path.map((name, level) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a path never changes, and a function may occur twice in it
          <li key={level} className="flex min-w-0">
            <FunctionName name={name} onFind={onFind} />
          </li>
        ))}
      </ol>
    </details>
  );
}
