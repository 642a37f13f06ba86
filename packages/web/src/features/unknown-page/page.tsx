import { listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { ChevronRight, MapPinOff } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { navigationOf } from "#layout/navigation.ts";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { type Suggestion, suggestionsFor } from "./model.ts";

/** An address without a page, for people who are signed in. */
export function UnknownPage() {
  const { pathname } = useLocation();
  const router = useRouter();
  const { data } = useQuery({
    queryKey: ["services", "7d", "names"],
    queryFn: ({ signal }) => call(listServices, { query: { since: "7d" }, signal }),
  });
  const services = data?.services.map(({ name }) => name) ?? [];
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
