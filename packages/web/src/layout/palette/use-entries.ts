import {
  type FoundFunction,
  findFunctions,
  limits,
  listProfiles,
  listServices,
  type Profile,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type AnyRoute, useNavigate, useRouter } from "@tanstack/react-router";
import {
  BookOpen,
  Boxes,
  ChartNoAxesGantt,
  FileSearch,
  FolderOpen,
  FunctionSquare,
  Globe,
  Keyboard,
  Link as LinkIcon,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  Sun,
} from "lucide-react";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { profileTypeLabel } from "#format/names.ts";
import { exactTime, rangeLabel } from "#format/time.ts";
import { keyboardOverview } from "#keyboard/open-state.ts";
import { pickFiles } from "#open-files/chosen-files.ts";
import { chooseTheme } from "#preferences/theme.ts";
import { useMayChange } from "#session/session.ts";
import { signOut } from "#session/sign-out.ts";
import { usePageAddress } from "#time-range/page-address.ts";
import { chosenRange } from "#time-range/search.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import { fromBase } from "#url/base-path.ts";
import { type Entry, findEntries, functionLabels, functionTextOf, idPrefixOf, wordsOf } from "./entries.ts";

const searchDelayMs = 300;

interface Found {
  readonly entries: readonly Entry[];
  readonly isSearching: boolean;
  /** Why services, functions or profiles are missing from the entries. */
  readonly error: Error | null;
}

/** The entries that match a query, with the services, functions and profiles loaded for it. */
export function useEntries(query: string, onToggleSidebar: () => void): Found {
  const settled = useDebounced(query, searchDelayMs);
  const prefix = idPrefixOf(settled);
  const text = functionTextOf(settled);
  const services = useQuery(paletteServicesQuery(wordsOf(settled).join(" ")));
  const profiles = useQuery(profilesByIdQuery(prefix));
  const functions = useQuery(functionsQuery(text, useTimeRange().query));
  const all = [
    ...useProfileEntries(profiles.data),
    ...usePageEntries(),
    ...useServiceEntries(services.data?.services.map(({ name }) => name)),
    ...useFunctionEntries(functions.data?.functions, text),
    ...useActionEntries(onToggleSidebar),
  ];
  const isTyping =
    prefix !== idPrefixOf(query) ||
    text !== functionTextOf(query) ||
    wordsOf(settled).join() !== wordsOf(query).join();
  return {
    entries: findEntries(all, query),
    isSearching: services.isLoading || profiles.isLoading || functions.isLoading || isTyping,
    error: services.error ?? profiles.error ?? functions.error,
  };
}

function useProfileEntries(profiles: readonly Profile[] = []): Entry[] {
  const navigate = useNavigate();
  return profiles.map(({ profile_id, display_type, service, timestamp }) => ({
    id: `profile-${profile_id}`,
    group: "Profiles",
    label: `${service}, ${profileTypeLabel(display_type)}`,
    detail: exactTime(timestamp),
    keywords: profile_id,
    icon: FileSearch,
    run: () => void navigate({ to: "/profile/$profileId", params: { profileId: profile_id } }),
  }));
}

/** The pages with a title and without parameters, from the route table, and the view of one that people look for by name. */
function usePageEntries(): Entry[] {
  const router = useRouter();
  const httpPaths: Entry = {
    id: "page-http-paths",
    group: "Pages",
    label: "HTTP paths",
    detail: "Slowest, busiest and failing paths of all services",
    keywords: "requests endpoints latency p95 errors",
    icon: Globe,
    run: () => void router.navigate({ to: "/profiles", search: { ...chosenRange, view: "http" } as never }),
  };
  const pages = Object.values<AnyRoute>(router.routesByPath).flatMap(({ fullPath, options }) => {
    const { title, subtitle, navigation } = options.staticData ?? {};
    if (title === undefined || fullPath.includes("$")) return [];
    const entry: Entry = {
      id: `page-${fullPath.slice(1)}`,
      group: "Pages",
      label: title,
      ...(subtitle !== undefined && { detail: subtitle }),
      keywords: `${subtitle} ${navigation?.label ?? ""}`,
      icon: navigation?.icon ?? ChartNoAxesGantt,
      // The type of a path that is not known before excludes any search.
      run: () => void router.navigate({ to: fullPath, search: chosenRange as never }),
    };
    return [entry];
  });
  return [...pages, httpPaths];
}

function useServiceEntries(names: readonly string[] = []): Entry[] {
  const navigate = useNavigate();
  return names.map((serviceName, at) => ({
    id: `service-${at}`,
    group: "Services",
    label: serviceName,
    icon: Boxes,
    run: () =>
      void navigate({
        to: "/profiles/service/$serviceName",
        params: { serviceName },
        search: chosenRange,
      }),
  }));
}

/** Each opens the flame graph of a service and type at the function. They match the text because the server found them for it. */
function useFunctionEntries(found: readonly FoundFunction[] = [], text = ""): Entry[] {
  const navigate = useNavigate();
  const labels = functionLabels(found);
  return found.map(({ ref, service, type }, at) => ({
    id: `function-${at}`,
    group: "Functions",
    label: labels[at]!,
    detail: `${profileTypeLabel(type)} of ${service}`,
    keywords: `${ref} ${text}`,
    icon: FunctionSquare,
    isCode: true,
    run: () =>
      void navigate({
        to: "/profiles/service/$serviceName/$type",
        params: { serviceName: service, type },
        // `@` is `widestPlace` of a flame graph's link, written out so that the palette does not load its code.
        search: { fn: ref, zoom: "@" },
      }),
  }));
}

function useActionEntries(onToggleSidebar: () => void): Entry[] {
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const addressNow = usePageAddress();
  const { moving } = addressNow();
  const copyLink = (href: string) => void copyAndReport(href, "Link copied to clipboard");
  const action = (id: string, label: string, icon: Entry["icon"], run: () => void): Entry => {
    return { id: `action-${id}`, group: "Actions", label, icon, run };
  };
  return [
    ...(mayChange ? [action("open-file", "Open a file", FolderOpen, pickFiles)] : []),
    action("light", "Light theme", Sun, () => chooseTheme("light")),
    action("dark", "Dark theme", Moon, () => chooseTheme("dark")),
    action("system", "System theme", Monitor, () => chooseTheme("system")),
    action("sidebar", "Collapse or expand the sidebar", PanelLeft, onToggleSidebar),
    action("link", "Copy a link to this page", LinkIcon, () => copyLink(addressNow().fixed)),
    ...(moving === undefined
      ? []
      : [
          action(
            "moving-link",
            `Copy a link to this page, always ${rangeLabel(moving.span).replace(/^Last/, "the last")}`,
            LinkIcon,
            () => copyLink(moving.href),
          ),
        ]),
    action("keys", "Keyboard shortcuts", Keyboard, keyboardOverview.open),
    action(
      "docs",
      "Help & Documentation",
      BookOpen,
      () => void window.open(fromBase("/docs"), "_blank", "noreferrer"),
    ),
    action("log-out", "Log out", LogOut, () => {
      void signOut();
      void navigate({ to: "/login", replace: true });
    }),
  ];
}

const profilesMax = 8;
const searchedRange = "720h";
const idLength = 32;

const servicesMax = 50;

/** The latest services, or those with all words in their name. */
function paletteServicesQuery(words: string) {
  const order = words === "" ? "activity" : "name";
  const query = {
    since: searchedRange,
    q: words.slice(0, limits.searchLengthMax),
    order,
    limit: servicesMax,
  } as const;
  return callQuery(
    ["palette", "services", query.q],
    listServices,
    { query },
    { staleTime: 60_000, placeholderData: keepPreviousData },
  );
}

/** Profiles whose id starts with the prefix: of the last 30 days, or of any age if it is the whole id. */
function profilesByIdQuery(prefix: string | undefined) {
  return queryOptions({
    queryKey: ["palette", "profiles", prefix],
    queryFn: ({ signal }) => findProfiles(prefix ?? "", signal),
    enabled: prefix !== undefined,
    staleTime: 60_000,
  });
}

async function findProfiles(prefix: string, signal: AbortSignal): Promise<Profile[]> {
  const filter = prefix.length === idLength ? { profileId: prefix } : { q: prefix };
  const query = { ...filter, since: searchedRange, limit: profilesMax };
  const { profiles } = await call(listProfiles, { query, signal });
  return profiles.filter((profile) => profile.profile_id.startsWith(prefix));
}

/** Functions of the range whose name contains the text. */
function functionsQuery(text: string | undefined, range: RangeQuery) {
  const query = { ...range, q: (text ?? "").slice(0, limits.searchLengthMax) };
  return callQuery(
    ["palette", "functions", query],
    findFunctions,
    { query },
    { enabled: text !== undefined, staleTime: 60_000 },
  );
}
