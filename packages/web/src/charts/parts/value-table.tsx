import { type ChartMarker, markerText } from "#charts/model/chart.ts";
import { isMeasured, spanOf, type Values } from "#charts/model/series.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { unitText } from "#charts/model/units.ts";
import type { Drawing } from "#charts/plot/create-plot.ts";

export interface ValueTableProps extends Pick<Drawing, "timesMs" | "bucketMs" | "unit" | "zone"> {
  readonly label: string;
  readonly series: readonly { readonly id: string; readonly label: string; readonly values: Values }[];
  readonly markers: readonly ChartMarker[];
}

/** Listening to thousands of rows helps nobody; the arrow keys reach every bucket. */
const rowsMax = 48;

export function ValueTable(props: ValueTableProps) {
  const { label, timesMs, bucketMs, unit, zone, series, markers } = props;
  const { bucketsPerRow, rows } = tableRows(
    timesMs,
    series.map(({ values }) => values),
    rowsMax,
  );
  const rowMs = bucketMs * bucketsPerRow;
  const whole = spanOf(timesMs, bucketMs);
  const events = markers.filter(({ atMs }) => atMs >= whole.fromMs && atMs <= whole.toMs);
  return (
    <div className="sr-only">
      <table>
        <caption>
          {label}
          {bucketsPerRow > 1 && `. Each row has the highest values of ${bucketsPerRow} points.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map((each) => (
              <th key={each.id} scope="col">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ atMs, values }) => (
            <tr key={atMs}>
              <th scope="row">{spanText(atMs, atMs + rowMs, zone)}</th>
              {series.map((each, at) => (
                <td key={each.id}>{unitText(values[at] ?? null, unit)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {events.length > 0 && (
        <ul aria-label={`Deploys and alerts in ${label}`}>
          {events
            .toSorted((a, b) => a.atMs - b.atMs)
            .map((marker) => (
              <li key={`${marker.atMs} ${marker.label}`}>{markerText(marker, zone)}</li>
            ))}
        </ul>
      )}
    </div>
  );
}

/** Rows of the table for screen readers: at most `max`, each with the highest values of a stretch of buckets. */
export function tableRows(
  timesMs: readonly number[],
  series: readonly Values[],
  max: number,
): { readonly bucketsPerRow: number; readonly rows: { readonly atMs: number; readonly values: Values }[] } {
  const bucketsPerRow = Math.max(1, Math.ceil(timesMs.length / max));
  const rows = [];
  for (let from = 0; from < timesMs.length; from += bucketsPerRow) {
    const values = series.map((each) => {
      const measured = each.slice(from, from + bucketsPerRow).filter(isMeasured);
      return measured.length === 0 ? null : measured.reduce((a, b) => Math.max(a, b));
    });
    rows.push({ atMs: timesMs[from]!, values });
  }
  return { bucketsPerRow, rows };
}
