import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Where `npm run dev` starts the server: at its own setting, of which empty text counts as not set. */
const server = `http://127.0.0.1:${process.env.PORT?.trim() || 4040}`;
const proxied = ["/api", "/auth", "/docs", "/healthz", "/readyz"];

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Compressed once here instead of at each request; the server sends the .br or .gz beside a file. */
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

export default defineConfig({
  plugins: [react(), tailwindcss(), compressed()],
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
  build: {
    target: "es2023",
    // The CSP allows no data: fonts, so nothing is inlined into the style sheet.
    assetsInlineLimit: 0,
  },
});
