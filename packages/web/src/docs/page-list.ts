/** The list of pages is open next to the page on wide screens, and folded above it on narrow ones. */
export function openPageList(): void {
  const list = document.querySelector<HTMLDetailsElement>(".pages details");
  const wide = window.matchMedia("(min-width: 900px)");
  const adapt = () => {
    if (list !== null) list.open = wide.matches;
  };
  adapt();
  wide.addEventListener("change", adapt);
  list?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
}
