import type { ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FunctionSquare } from "lucide-react";
import { BarList } from "#charts/bar-list.tsx";
import { profileTypeLabel, profileTypeName } from "#format/names.ts";
import { listedText, plural } from "#format/number.ts";
import { coveredText } from "#profile-list/covered-text.ts";
import { functionRows } from "#profile-list/function-rows.tsx";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useSearchText } from "#ui/hooks/search-text.ts";
import { functionsQuery, type Listing, type SharedType, sharedTypes } from "./functions-query.ts";

const typeOptions = sharedTypes.map((value) => ({ value, label: profileTypeLabel(value) }));
const scopeOptions = [
  { value: "libraries", label: "Shared libraries" },
  { value: "all", label: "All functions" },
] as const;

function useListing(): Listing {
  const { q = "", scope = "libraries", type } = useSearch({ from: "/protected/profiles" });
  return { q, scope, type: sharedTypes.find((each) => each === type) ?? "cpu" };
}

/** Functions by their cost over all services: a library that twelve services call is one row. */
export function FunctionsView() {
  const time = useTimeRange();
  const listing = useListing();
  const isAll = listing.scope === "all";
  const query = useQuery({
    ...functionsQuery(listing, time.query),
    refetchInterval: time.refreshMs(refreshSteps.graphMs),
  });
  return (
    <>
      <Filters {...listing} />
      <PanelCard
        className="min-w-0"
        title={isAll ? "Functions of all services" : "Library functions that services share"}
        detail={`${isAll ? "By self value." : "Costs include called functions, so rows overlap."} Select a service to open its flame graph at the function.`}
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading functions"
            count={1}
            className="h-96"
            layoutClass="border-line border-t p-4"
          />
        }
        errorTitle="Failed to load functions. Please try again later."
        empty={({ functions, services_total: services }) =>
          functions.length === 0 ? <NoFunctions {...{ services }} {...listing} range={time.label} /> : null
        }
      >
        {(reply) => <FunctionList {...reply} {...listing} />}
      </PanelCard>
    </>
  );
}

function Filters({ q, scope, type }: Listing) {
  const navigate = useNavigate({ from: "/profiles" });
  const [text, write] = useSearchText(q, (next) => {
    void navigate({ search: (before) => ({ ...before, q: next }), replace: true, resetScroll: false });
  });
  const selectClass = "w-44 max-sm:w-auto max-sm:min-w-0 max-sm:flex-1";
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <SearchInput label="Search functions" placeholder="Search functions..." value={text} onChange={write} />
      <Select
        label="Profile type"
        value={type}
        options={typeOptions}
        onChange={(next) =>
          void navigate({ search: (before) => ({ ...before, type: next }), resetScroll: false })
        }
        className={selectClass}
      />
      <Select
        label="Functions"
        value={scope}
        options={scopeOptions}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, scope: next === "all" ? next : undefined }),
            resetScroll: false,
          })
        }
        className={selectClass}
      />
    </div>
  );
}

type FunctionListProps = ReplyOf<typeof sharedFunctions> & Listing;

function FunctionList({ functions, functions_total: total, unit, type, scope, ...rest }: FunctionListProps) {
  return (
    <div className="border-line border-t p-4">
      <p role="status" className="mb-3 text-label text-muted">
        {listedText(functions.length, total, "function")}
        {coveredText(rest, profileTypeName(type))}
      </p>
      <BarList label="Functions" rows={functionRows(functions, { type, unit, isSelf: scope === "all" })} />
    </div>
  );
}

interface NoFunctionsProps {
  readonly services: number;
  readonly type: SharedType;
  readonly q: string;
  readonly range: string;
}

function NoFunctions({ services, type, q, range }: NoFunctionsProps) {
  const name = profileTypeName(type);
  return (
    <Message
      icon={FunctionSquare}
      title={services === 0 ? "No functions" : q === "" ? "No shared functions" : "No function matches"}
    >
      <p>
        {services === 0
          ? `${range}: no service sent ${name} profiles. Choose a longer time range or another type.`
          : q !== ""
            ? `${range}: no function with “${q}” in its name. All functions also lists functions of a single service.`
            : `${range}: ${plural(services, "service")} sent ${name} profiles, and no two of them call the same library function. Choose All functions to list functions of a single service.`}
      </p>
    </Message>
  );
}
