(() => {
  const root = document.documentElement.dataset;
  const base = root.base ?? "";
  const path = location.pathname.slice(base.length) || "/";
  const stored = (key) => {
    try {
      return localStorage.getItem(`flamekeep${base}.${key}`);
    } catch {
      // Storage can be switched off in the browser: the system's theme, and nobody is signed in.
      return null;
    }
  };
  const theme = stored("theme");
  const isDark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.theme = isDark ? "dark" : "light";

  // The outline of the page, which index.html shows until the app has rendered.
  const isSignedIn = stored("demo") === "true" || stored("access_token") !== null;
  const isAccountPage = /^\/(login|register|forgot-password|reset-password)\/?$/.test(path);
  if (path === "/") root.start = "landing";
  else root.start = isSignedIn && !isAccountPage ? "app" : "account";
  if (stored("sidebar") === "collapsed") root.sidebar = "collapsed";
})();

// zod tries `new Function` with its first schema, which the content security policy rightly reports. Its `config()` comes
// too late: schemas are made while modules load.
globalThis.__zod_globalConfig = { jitless: true };
