import type { AnalysisCategory } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { categoryLabels } from "#ai-analysis/model.ts";
import { exactCount } from "#format/number.ts";
import { membersQuery } from "#session/members-query.ts";
import { useIsDemo, useSession } from "#session/session.ts";
import { Select } from "#ui/controls/select.tsx";
import { type FindingsReply, stateLabels } from "./model.ts";
import { categories, type FindingsSearch, states } from "./search.ts";

interface FindingFiltersProps {
  readonly reply: FindingsReply;
  readonly search: FindingsSearch;
  readonly onChange: (part: FindingsSearch) => void;
}

// Service names are never empty, but one could be "all".
const all = "";
const selectClass = "w-44 max-sm:w-[calc(50%-4px)]";

const categoryOptions: readonly { readonly value: AnalysisCategory | typeof all; readonly label: string }[] =
  [
    { value: all, label: "All categories" },
    ...categories.map((value) => ({ value, label: categoryLabels[value] })),
  ];

export function FindingFilters({ reply, search, onChange }: FindingFiltersProps) {
  const services = [
    ...new Set([...reply.services, ...(search.service === undefined ? [] : [search.service])]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Select
        label="Service"
        value={search.service ?? all}
        options={[
          { value: all, label: "All services" },
          ...services.map((value) => ({ value, label: value })),
        ]}
        onChange={(service) => onChange({ service: service === all ? undefined : service })}
        className={selectClass}
      />
      <Select
        label="Category"
        value={search.category ?? all}
        options={categoryOptions}
        onChange={(category) => onChange({ category: category === all ? undefined : category })}
        className={selectClass}
      />
      <StateSelect reply={reply} search={search} onChange={onChange} />
      <OwnerSelect search={search} onChange={onChange} />
    </div>
  );
}

function StateSelect({ reply: { counts }, search, onChange }: FindingFiltersProps) {
  const options = [
    { value: "active", label: `To do (${exactCount(counts.open + counts.accepted)})` },
    ...states.map((value) => ({ value, label: `${stateLabels[value]} (${exactCount(counts[value])})` })),
    { value: "all", label: "All states" },
  ] as const;
  return (
    <Select
      label="State"
      value={search.state ?? "active"}
      options={options}
      onChange={(state) => onChange({ state: state === "active" ? undefined : state })}
      className={selectClass}
    />
  );
}

function OwnerSelect({ search, onChange }: Omit<FindingFiltersProps, "reply">) {
  const session = useSession();
  const isDemo = useIsDemo();
  const { data } = useQuery({ ...membersQuery, enabled: !isDemo });
  const ownId = session.status === "authenticated" ? session.user.id : undefined;
  const members = data?.members ?? [];
  const own = members
    .filter(({ id }) => id === ownId)
    .map(({ id }) => ({ value: id, label: "Owned by you" }));
  const others = members.filter(({ id }) => id !== ownId).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Owner"
      value={search.owner ?? all}
      options={[
        { value: all, label: "Any owner" },
        ...own,
        { value: "none", label: "Without an owner" },
        ...others,
      ]}
      onChange={(owner) => onChange({ owner: owner === all ? undefined : owner })}
      className={selectClass}
    />
  );
}
