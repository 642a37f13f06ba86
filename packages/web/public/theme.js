(() => {
  let saved = null;
  try {
    saved = localStorage.getItem("flamekeep.theme");
  } catch {
    // Storage can be switched off in the browser; the system's theme is the answer then.
  }
  const isDark =
    saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
