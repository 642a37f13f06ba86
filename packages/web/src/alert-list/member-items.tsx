import { useQuery } from "@tanstack/react-query";
import { UserPlus, UserRound, UserX } from "lucide-react";
import { membersQuery } from "#session/members-query.ts";
import { useSession } from "#session/session.ts";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";

interface MemberItemsProps {
  /** The id of the member who is chosen now. */
  readonly chosenId: string | undefined;
  /** The text of the item that chooses nobody. */
  readonly nobody: string;
  readonly onChoose: (userId: string | null) => void;
}

/** The members in an opened menu, so that they are read when somebody opens it. */
export function MemberItems({ chosenId, nobody, onChoose }: MemberItemsProps) {
  const session = useSession();
  const ownId = session.status === "authenticated" ? session.user.id : undefined;
  const { data, error } = useQuery(membersQuery);
  const others = data?.members.filter(({ id }) => id !== chosenId && id !== ownId) ?? [];
  return (
    <>
      {ownId !== undefined && ownId !== chosenId && (
        <MenuItem onSelect={() => onChoose(ownId)}>
          <UserPlus aria-hidden strokeWidth={1.75} />
          Assign to me
        </MenuItem>
      )}
      {chosenId !== undefined && (
        <MenuItem onSelect={() => onChoose(null)}>
          <UserX aria-hidden strokeWidth={1.75} />
          {nobody}
        </MenuItem>
      )}
      <MenuSeparator />
      <div className="max-h-72 max-w-72 overflow-y-auto">
        {data === undefined && (
          <p className="px-2.5 py-1.5 text-label text-muted">
            {error === null ? "Loading members" : "Failed to load members"}
          </p>
        )}
        {data !== undefined && others.length === 0 && (
          <p className="px-2.5 py-1.5 text-label text-muted">No other members</p>
        )}
        {others.map(({ id, name, email }) => (
          <MenuItem key={id} onSelect={() => onChoose(id)}>
            <UserRound aria-hidden className="shrink-0" strokeWidth={1.75} />
            <span className="min-w-0 truncate" title={email}>
              {name}
            </span>
          </MenuItem>
        ))}
      </div>
    </>
  );
}
