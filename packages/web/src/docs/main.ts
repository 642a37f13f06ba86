import "./docs.css";
import { z } from "zod/mini";
import { chooseTheme, savedTheme, type ThemeChoice, watchTheme } from "#preferences/theme.ts";
import { copyText } from "#ui/copy-text.ts";
import { fromBase } from "#url/base-path.ts";

const confirmedMs = 1500;

/** Adds a button to each block of code that copies it. */
function copyButtons(): void {
  for (const block of document.querySelectorAll("pre")) {
    const code = block.textContent ?? "";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void copyText(code).then((isCopied) => confirm(button, isCopied ? "Copied" : "Blocked"));
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

function confirm(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = "Copy";
  }, confirmedMs);
}

const Results = z.array(
  z.object({ href: z.string(), page: z.string(), heading: z.optional(z.string()), excerpt: z.string() }),
);
type Result = z.output<typeof Results>[number];

const pauseMs = 120;
const shownMax = 8;

/** Lists results below the field while a person types. Without it, Enter opens the page of results. */
function liveSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  const list = document.querySelector<HTMLUListElement>("#results");
  if (field === null || list === null) return;
  field.value = new URLSearchParams(window.location.search).get("q") ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = "";

  const close = () => {
    list.hidden = true;
  };
  const search = async () => {
    const query = field.value.trim();
    current = query;
    if (query.length < 2) return close();
    const results = await fetchResults(query);
    if (current === query) show(list, results);
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), pauseMs);
  });
  field.closest("search")?.addEventListener("keydown", (event) => moveFocus(event, field, list, close));
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !field.closest("search")?.contains(target)) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    const isShortcut = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut || (isTyping && event.key === "/")) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

/** Empty if the server cannot be reached: Enter then shows why. */
async function fetchResults(query: string): Promise<readonly Result[]> {
  try {
    const reply = await fetch(fromBase(`/docs/search.json?q=${encodeURIComponent(query)}`));
    return Results.parse(await reply.json());
  } catch {
    return [];
  }
}

function show(list: HTMLUListElement, results: readonly Result[]): void {
  list.replaceChildren(...results.slice(0, shownMax).map(toItem));
  list.hidden = results.length === 0;
}

function toItem({ href, page, heading, excerpt }: Result): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  link.append(
    element("strong", heading ?? page),
    ...(heading === undefined ? [] : [element("span", page)]),
    element("small", excerpt),
  );
  item.append(link);
  return item;
}

function element(name: "strong" | "span" | "small", text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Arrow keys move through the results, Escape returns to the field. */
function moveFocus(
  event: KeyboardEvent,
  field: HTMLInputElement,
  list: HTMLUListElement,
  close: () => void,
): void {
  const links = [...list.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  if (event.key === "Escape") {
    close();
    field.focus();
  } else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const target = at + (event.key === "ArrowDown" ? 1 : -1);
    (target < 0 ? field : links[Math.min(target, links.length - 1)])?.focus();
  }
}

/** The page that was at /docs before there were several: links to its headings are in messages and bookmarks. */
const formerPage = "/docs/sending";

/** Opens the page that a heading has moved to. */
function followOldLink(): void {
  const { pathname, hash } = window.location;
  if (pathname !== fromBase("/docs") || hash === "" || document.getElementById(hash.slice(1)) !== null)
    return;
  window.location.replace(fromBase(formerPage) + hash);
}

/** The list of pages is open next to the page on wide screens, and folded above it on narrow ones. */
function openPageList(): void {
  const list = document.querySelector<HTMLDetailsElement>(".pages details");
  const wide = window.matchMedia("(min-width: 900px)");
  const adapt = () => {
    if (list !== null) list.open = wide.matches;
  };
  adapt();
  wide.addEventListener("change", adapt);
  list?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
}

const next: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: "light", light: "dark", dark: "system" };
const names: Readonly<Record<ThemeChoice, string>> = { system: "System", light: "Light", dark: "Dark" };

/** Switches the theme of the app, which the documentation shares. */
function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (button === null) return;
  const label = button.querySelector("span");
  const show = () => {
    const choice = savedTheme();
    if (label !== null) label.textContent = names[choice];
    button.ariaLabel = `Theme: ${names[choice]}. Change to ${names[next[choice]]}`;
  };
  watchTheme();
  window.addEventListener("storage", show);
  button.addEventListener("click", () => {
    chooseTheme(next[savedTheme()]);
    show();
  });
  show();
  button.hidden = false;
}

// The pages of the documentation work without this script: it adds what needs one.
followOldLink();
openPageList();
themeButton();
copyButtons();
liveSearch();
