import { limits, listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { ChevronRight, MapPinOff } from "lucide-react";
import { type FormEvent, useState } from "react";
import { callQuery } from "#api/call-query.ts";
import { navigationOf } from "#layout/navigation.ts";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";

/** An address without a page, for people who are signed in. */
export function UnknownPage() {
  const { pathname } = useLocation();
  const router = useRouter();
  const word = (wordsOf(pathname).at(-1) ?? "").slice(0, limits.searchLengthMax);
  const named = useQuery(servicesQuery({ q: word, limit: suggestionsMax }));
  // As many as one reply has, for names with typing errors.
  const others = useQuery(servicesQuery({}));
  const listed = [named, others].flatMap(({ data }) => data?.services ?? []);
  const services = [...new Set(listed.map(({ name }) => name))];
  const pages = navigationOf(router).flatMap(({ items }) => items);
  return (
    <div className="mx-auto max-w-xl">
      <Message icon={MapPinOff} title="This page does not exist">
        <p>
          There is nothing at <code className="font-mono text-code text-text">{shortened(pathname)}</code>.
          The link may be old, or misspelled.
        </p>
      </Message>
      <ProfileSearch />
      <Suggestions items={suggestionsFor(pathname, services, pages)} />
    </div>
  );
}

function servicesQuery(some: { readonly q?: string; readonly limit?: number }) {
  const query = { since: "7d", order: "name", ...some } as const;
  return callQuery(["services", "7d", "similar", some], listServices, { query });
}

const pathCharsMax = 120;

function shortened(path: string): string {
  return path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}...` : path;
}

function ProfileSearch() {
  const navigate = useNavigate();
  const [text, setText] = useState("");

  function search(event: FormEvent) {
    event.preventDefault();
    const q = text.trim();
    void navigate({ to: "/profiles", search: { view: "profiles", ...(q !== "" && { q }) } });
  }

  return (
    <search>
      <form onSubmit={search} className="flex flex-wrap gap-2">
        <SearchInput
          label="Search profiles"
          placeholder="Service, tag or profile id"
          value={text}
          onChange={setText}
        />
        <Button type="submit">Search Profiles</Button>
      </form>
    </search>
  );
}

function Suggestions({ items }: { readonly items: readonly Suggestion[] }) {
  return (
    <nav aria-labelledby="suggestions" className="mt-8">
      <h3 id="suggestions" className="mb-2 font-medium text-label text-muted">
        Perhaps you are looking for
      </h3>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {items.map(({ label, detail, href }) => (
          <li key={href}>
            <Link to={href} className="flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-surface-2">
              <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
              <span className="shrink-0 text-label text-muted">{detail}</span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly href: string;
}

interface KnownPage {
  readonly label: string;
  readonly description: string;
  readonly to: string;
}

const suggestionsMax = 5;
const typosMax = 2;
const profileId = /\b[0-9a-f]{32}\b/;

/**
 * Suggestions for an address without a page: the profile whose id it contains, services and pages with a similar name.
 * The pages of the navigation if nothing is similar.
 */
export function suggestionsFor(
  path: string,
  services: readonly string[],
  pages: readonly KnownPage[],
): Suggestion[] {
  const words = wordsOf(path);
  const id = profileId.exec(path.toLowerCase())?.[0];
  const found = [
    ...(id === undefined
      ? []
      : [{ label: `Profile ${id.slice(0, 12)}`, detail: "Profile", href: `/profile/${id}` }]),
    ...services.filter((name) => words.some((word) => isSimilar(word, name))).map(toService),
    ...pages.filter(({ to }) => words.some((word) => isSimilar(word, to.slice(1)))).map(toPage),
  ];
  return (found.length === 0 ? pages.map(toPage) : found).slice(0, suggestionsMax);
}

function toService(name: string): Suggestion {
  return { label: name, detail: "Service", href: `/profiles/service/${encodeURIComponent(name)}` };
}

function toPage({ label, description, to }: KnownPage): Suggestion {
  return { label, detail: description, href: to };
}

/** The parts of a path as a person wrote them; a part that cannot be decoded stays as it is. */
function wordsOf(path: string): string[] {
  return path.split("/").flatMap((part) => {
    try {
      return part === "" ? [] : [decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

function isSimilar(word: string, name: string): boolean {
  const [a, b] = [word.toLowerCase(), name.toLowerCase()];
  if (a.length >= 3 && (b.includes(a) || (b.length >= 3 && a.includes(b)))) return true;
  return Math.min(a.length, b.length) > 2 * typosMax && typosBetween(a, b) <= typosMax;
}

/** Letters to insert, remove or replace (Levenshtein distance). */
function typosBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > typosMax) return typosMax + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
