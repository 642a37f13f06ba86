import { formatPercent } from "@flamekeep/flame";
import { type ReactNode, useState } from "react";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CompareEntry, compareEntryClass } from "./compare-entry.tsx";
import { type LabelRow, type Labels, type LabelTotals, rowsOf, toggled } from "./model.ts";

interface LabelsView {
  readonly labels: Labels;
  /** The label whose values are the roots of the flame graph. */
  readonly groupBy?: string | undefined;
  readonly onChange: (labels: Labels | undefined) => void;
  /** Absent where nothing can be grouped. */
  readonly onGroupBy?: (name: string | undefined) => void;
  /** Search of the comparison of what has these labels. */
  readonly compared: (before: Labels, after: Labels) => Readonly<Record<string, unknown>>;
}

interface LabelsCardProps extends LabelsView {
  /** Undefined while it loads. Without a total, shares are of what has the label. */
  readonly found: { readonly keys: readonly LabelTotals[]; readonly total?: number } | undefined;
  readonly kind?: keyof typeof kinds;
  readonly note?: ReactNode;
}

const kinds = {
  Label: { title: "Labels", detail: "Share of samples by pprof label" },
  Tag: { title: "Tags", detail: "Share of profiles by tag" },
};

/** The share of each value of labels. A click filters by it, two compare two values. Absent if there is nothing to choose. */
export function LabelsCard({ found, kind = "Label", note, ...view }: LabelsCardProps) {
  if ((found?.keys.length ?? 0) === 0) return null;
  return (
    <Card className="min-w-0">
      <CardHeader {...kinds[kind]} />
      {note !== undefined && <p className="px-4 pb-3 text-label text-muted">{note}</p>}
      <div className="grid gap-x-6 gap-y-4 px-4 pb-4 md:grid-cols-2">
        {found?.keys.map((label) => (
          <LabelValues key={label.name} {...{ label, kind, ...view }} total={found.total ?? label.total} />
        ))}
      </div>
    </Card>
  );
}

const listedMax = 6;

interface LabelValuesProps extends LabelsView {
  readonly kind: keyof typeof kinds;
  readonly label: LabelTotals;
  readonly total: number;
}

function LabelValues({ kind, label, total, ...view }: LabelValuesProps) {
  const { groupBy, onGroupBy } = view;
  const [isWhole, setWhole] = useState(false);
  const [compared, setCompared] = useState<string>();
  const rows = rowsOf(label, total);
  const isGrouped = groupBy === label.name;
  return (
    <section aria-label={`${kind} ${label.name}`} className="min-w-0">
      <div className="mb-1 flex items-center justify-between gap-2">
        <h3 className="truncate font-medium">{label.name}</h3>
        {onGroupBy && (
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={isGrouped}
            onClick={() => onGroupBy(isGrouped ? undefined : label.name)}
          >
            {isGrouped ? "Ungroup graph" : "Group graph"}
          </Button>
        )}
      </div>
      <p role="status" className="text-label text-muted">
        {compared !== undefined && `Choose the value to compare ${valueName(label.name, compared)} with.`}
      </p>
      <ul>
        {(isWhole ? rows : rows.slice(0, listedMax)).map((row) => (
          <li key={row.id}>
            <div className="flex items-center gap-1">
              <ValueRow name={label.name} row={row} {...view} />
              {rows.length > 1 && (
                <CompareValue
                  {...{ name: label.name, row, view, first: compared }}
                  onFirst={(value) => setCompared(value === compared ? undefined : value)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {rows.length > listedMax && (
        <Button size="sm" variant="ghost" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${rows.length}`}
        </Button>
      )}
    </section>
  );
}

interface CompareValueProps {
  readonly name: string;
  readonly row: LabelRow;
  readonly view: LabelsView;
  /** The value to compare with; undefined until one is chosen. */
  readonly first: string | undefined;
  readonly onFirst: (value: string) => void;
}

function CompareValue({ name, row: { text, value }, view, first, onFirst }: CompareValueProps) {
  if (value === undefined) return <span className={`${compareEntryClass} block`} />;
  const { labels, compared } = view;
  return (
    <CompareEntry
      text={text}
      first={first === undefined ? undefined : { text: valueName(name, first), isThis: first === value }}
      onFirst={() => onFirst(value)}
      search={
        first === undefined ? undefined : compared({ ...labels, [name]: first }, { ...labels, [name]: value })
      }
    />
  );
}

function valueName(name: string, value: string): string {
  return value === "" ? `samples without ${name}` : value;
}

interface ValueRowProps extends LabelsView {
  readonly name: string;
  readonly row: LabelRow;
}

function ValueRow({ name, row, labels, onChange }: ValueRowProps) {
  const { text, value, share } = row;
  const line = (
    <>
      <span
        aria-hidden
        className="absolute inset-y-0.5 left-0 rounded-badge bg-surface-2"
        style={{ width: `${100 * share}%` }}
      />
      <span className={`relative min-w-0 truncate ${value ? "" : "text-muted"}`} title={text}>
        {text}
      </span>
      <span className="relative shrink-0 text-label text-muted tabular-nums">{formatPercent(share, 1)}</span>
    </>
  );
  const className =
    "relative flex w-full min-w-0 items-center justify-between gap-3 rounded-badge px-2 py-1 text-left max-md:min-h-10";
  if (value === undefined) return <div className={className}>{line}</div>;
  const isChosen = labels[name] === value;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChange(toggled(labels, name, value))}
      className={`${className} cursor-pointer hover:underline ${isChosen ? "outline outline-accent" : ""}`}
    >
      {line}
    </button>
  );
}
