import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = "http://127.0.0.1:4040";
const proxied = ["/api", "/auth", "/docs", "/healthz", "/readyz"];

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
  build: {
    target: "es2023",
    // The CSP allows no data: fonts, so nothing is inlined into the style sheet.
    assetsInlineLimit: 0,
  },
});
