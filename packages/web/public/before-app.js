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

// zod tries `new Function` with its first schema, which the content security policy rightly reports. Its `config()` comes
// too late: schemas are made while modules load.
globalThis.__zod_globalConfig = { jitless: true };
