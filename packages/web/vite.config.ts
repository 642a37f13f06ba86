import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, runnerImport } from "vite";
import { sharedFiles } from "./shared-files.ts";

/** Where `npm run dev` starts the server. An empty PORT counts as not set, as it does for the server. */
const server = `http://127.0.0.1:${process.env.PORT?.trim() || 4040}`;
const proxied = ["/api", "/auth", "/docs", "/healthz", "/readyz"];

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Compresses once at build time instead of at each request; the server sends the .br or .gz next to a file. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "dist" }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name);
          const bytes = await readFile(path);
          const [br, gz] = await Promise.all([toBrotli(bytes), toGzip(bytes)]);
          await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
        }),
      );
    },
  };
}

/**
 * Lets the browser paint the outline of the page before anything else is there: the app's style sheet moves behind the
 * outline, because a browser paints what is above a style sheet in the body, and its scripts give way to the files that
 * the outline needs.
 */
function outlineFirst(): Plugin {
  return {
    name: "outline-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path }) {
        if (path !== "/index.html") return html;
        const links = html.match(/^ *<link rel="stylesheet"[^>]* href="\.\/assets\/[^>]*>\n/gm) ?? [];
        if (links.length === 0) throw new Error("index.html has no style sheet to move");
        return links
          .reduce((text, link) => text.replace(link, ""), html)
          .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
          .replace("  </body>", `${links.join("")}  </body>`);
      },
    },
  };
}

const fontsOfLatin = /\/(inter|jetbrains-mono)-latin-wght-normal-[^/]+\.woff2$/;

/** Starts to load the two fonts along with the scripts; otherwise they would begin only when the first text is laid out. */
function earlyFonts(): Plugin {
  return {
    name: "early-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((name) => fontsOfLatin.test(name));
        if (fonts.length !== 2) throw new Error(`two fonts expected, found ${fonts.join(", ")}`);
        return fonts.map((name) => ({
          tag: "link",
          attrs: {
            rel: "preload",
            as: "font",
            type: "font/woff2",
            crossorigin: "",
            fetchpriority: "low",
            href: `./${name}`,
          },
          injectTo: "head" as const,
        }));
      },
    },
  };
}

/** Lists the paths of the pages, from the route table: the server answers these with the app even to clients that take anything. */
function pageList(): Plugin {
  return {
    name: "page-list",
    apply: "build",
    async generateBundle() {
      const { module } = await runnerImport<{ readonly pages: unknown }>(
        fileURLToPath(new URL("src/routes.tsx", import.meta.url)),
      );
      this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(module.pages) });
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), sharedFiles(), outlineFirst(), earlyFonts(), pageList(), compressed()],
  // The onboarding shows the code of the guide.
  resolve: { alias: { "#guide": fileURLToPath(new URL("../../docs/guide", import.meta.url)) } },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
  // The server writes its path on the host into the pages, see base-path.ts. Files find each other by relative addresses.
  base: "./",
  build: {
    target: "es2023",
    // The CSP allows no data: fonts, so nothing is inlined into the style sheet.
    assetsInlineLimit: 0,
    // Browsers that run the app know modulepreload.
    modulePreload: { polyfill: false },
    // Read by the test that holds the sizes of the pages.
    manifest: "chunks.json",
    // docs.html is the frame of the documentation, which the server fills.
    rolldownOptions: { input: ["index.html", "docs.html"] },
  },
});
