/**
 * Paths of the web app's pages, with parameters in braces. The server answers them with the app's HTML; the app's router has
 * the same ones, and a path that neither knows.
 */
export const pagePaths = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  "/dashboard",
  "/profiles",
  "/profiles/{type}",
  "/profiles/service",
  "/profiles/service/{serviceName}",
  "/profiles/service/{serviceName}/{type}",
  "/profile/{profileId}",
  "/cpu-profiles",
  "/memory-profiles",
  "/goroutine-profiles",
  "/alerts",
  "/projects",
  "/settings",
] as const;
