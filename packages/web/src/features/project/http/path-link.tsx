import type { RequestOrder } from "@flamekeep/contract";

/** Opens the list of the single requests of a path. */
export type OpenPath = (path: string, order: RequestOrder) => void;

interface PathLinkProps {
  readonly path: string;
  readonly order: RequestOrder;
  readonly onOpen: OpenPath;
}

export function PathLink({ path, order, onOpen }: PathLinkProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(path, order)}
      title={`${path}\nShow single requests`}
      className="max-w-full truncate rounded-badge text-left font-mono text-code hover:text-accent-text hover:underline"
    >
      {path}
    </button>
  );
}
