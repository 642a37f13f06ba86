import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";

type Group = Rolldown.CodeSplittingGroup;
type Context = Rolldown.ChunkingContext;

const idOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const app = idOf("src/main.tsx");
const layout = idOf("src/layout/protected-layout.tsx");
const docs = idOf("src/docs/main.ts");
/** Pages without a session: no other one needs more than these two. */
const landing = idOf("src/features/landing/page.tsx");
const invitation = idOf("src/features/accounts/invite-page.tsx");
/** These stay the entries of their chunks, by which `index.html`, `docs.html` and the route table name them. */
const entries: readonly string[] = [app, layout, docs];

/** Our own modules, as opposed to modules of libraries. */
const ours = /\/packages\/(web|flame|contract)\/src\//;

/** Small modules that the layout and the sign-in pages need, which are never loaded together. */
const session = /\/web\/src\/session\/sign-(in|out)\./;

/** Lists, charts in a card, formats: what most pages consist of, without controls that need much of the library. */
const parts = [
  /\/web\/src\/(format|time-range|alert-list|preferences)\//,
  /\/web\/src\/profile-list\/(?!browser)/,
  /\/web\/src\/ui\/(content|hooks|controls\/(button|menu|select)\.)/,
  /\/web\/src\/charts\/(sparkline|model\/(colours|sparkline|series))\b/,
  /\/web\/src\/flame-graph\/toolbar\/grouping\./,
  /\/node_modules\/(lucide-react|@tanstack\/react-query)\//,
];

/**
 * Menus and completion are apart: most pages load them after their first paint. So are the parts of forms, which pages of charts do
 * not have.
 */
const controls = [
  /\/web\/src\/ui\/(?!controls\/(password-rules|field|form-problems|chip-combobox)|overlays\/confirm-dialog)/,
  /\/node_modules\/@base-ui\/react\/(?!(context-)?menu|combobox)/,
];

/** Small modules of the pages of profiles and projects: the actions in their headers, lists of bars, the grouping of a graph. */
const actions = [
  /\/web\/src\/(sharing\/share-button|api\/save-file|charts\/bar-list|flame-graph\/toolbar\/grouping)\./,
];

/**
 * The core of the flame graph, without what pages need that have no graph, or before they load it: the state of the view, which they
 * read from their address, and the names of functions.
 */
const flame = [
  /\/packages\/flame\/src\/(?!view\/(flame-view|node-ref)\.|colour\/scheme-names\.|text\/(function-names|label)\.)/,
  /\/packages\/profile\/src\//,
];

const isOneOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((each) => each.test(id));

/**
 * Puts the code of a page into few files. By default two modules share a file only if exactly the same pages need them, which
 * makes dozens of files of some hundred bytes, each with a request. Here the start of the app is one file, the layout
 * another, and the building blocks that at least three pages use are two more.
 */
export function chunkGroups(): Group[] {
  let start: Start | undefined;
  const inStart = (name: string, isPart: (id: string, start: Start) => boolean, priority: number): Group => ({
    debugName: name,
    priority,
    name(id, context) {
      start ??= startOf(context);
      return !entries.includes(id) && isPart(id, start) ? name : null;
    },
  });
  return [
    inStart("common", (id, { docs, app, layout }) => docs.has(id) && (app.has(id) || layout.has(id)), 4),
    // Pages without a session need some modules of the layout (formats, the brand), and do not load its file.
    inStart(
      "app",
      (id, { app, layout, outside }) =>
        session.test(id) || app.has(id) || (ours.test(id) && layout.has(id) && outside.has(id)),
      3,
    ),
    inStart("layout", (id, { layout }) => layout.has(id), 2),
    { name: "parts", priority: 1, test: isOneOf(parts), minShareCount: 3 },
    {
      name: "actions",
      priority: 1,
      test: isOneOf(actions),
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
    { name: "controls", test: isOneOf(controls), minShareCount: 3 },
    {
      name: "flame",
      test: isOneOf(flame),
      minShareCount: 3,
      includeDependenciesRecursively: false,
    },
  ];
}

type Start = ReturnType<typeof startOf>;

function startOf(context: Context) {
  return {
    app: withImports(app, context),
    layout: withImports(layout, context),
    docs: withImports(docs, context),
    outside: withImports(landing, context).union(withImports(invitation, context)),
  };
}

/** A module and all that it needs before it runs. */
function withImports(root: string, context: Context): ReadonlySet<string> {
  const found = new Set([root]);
  // The iteration also visits what is added meanwhile.
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
