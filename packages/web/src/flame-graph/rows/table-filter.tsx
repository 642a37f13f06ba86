import { formatPercent, type PackageSelf, shownName } from "@flamekeep/flame";
import { exactCount, plural } from "#format/number.ts";
import { Select } from "#ui/controls/select.tsx";

interface TableFilterProps {
  readonly packages: readonly PackageSelf[];
  readonly whole: number;
  /** Empty for all. */
  readonly value: string;
  readonly onChange: (packageName: string) => void;
  readonly shown: number;
  readonly all: number;
  /** The text of the search, which filters too. */
  readonly search: string;
  /** Whether the sums are without the frames that the server left out. */
  readonly isPart: boolean;
}

const packagesMax = 200;

/** Limits a table to a package, and says how many functions it and the search leave. */
export function TableFilter({
  packages,
  whole,
  value,
  onChange,
  shown,
  all,
  search,
  isPart,
}: TableFilterProps) {
  const listed = packages.slice(0, packagesMax);
  if (value !== "" && listed.every(({ packageName }) => packageName !== value))
    listed.push({ packageName: value, self: 0 });
  const options = listed.map(({ packageName, self }) => ({
    value: packageName,
    label: `${shownName(packageName)} · ${formatPercent(self, whole)} self`,
  }));
  return (
    <div className="flex h-11 items-center gap-3 border-line border-b px-4">
      <Select
        label="Package"
        size="sm"
        value={value}
        options={[{ value: "", label: `All packages (${exactCount(packages.length)})` }, ...options]}
        onChange={onChange}
        className="min-w-0 max-w-72"
      />
      <p role="status" className="min-w-0 truncate text-label text-muted">
        {shown === all ? plural(all, "function") : `${exactCount(shown)} of ${plural(all, "function")}`}
        {search !== "" && ` match ${shownName(search)}`}
        {isPart && <span className="text-warning-text"> · small frames left out are not counted</span>}
      </p>
    </div>
  );
}
