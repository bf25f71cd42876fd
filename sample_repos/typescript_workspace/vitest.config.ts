import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@shelf/catalog": here("./packages/catalog/src/index.ts"),
      "@/": here("./packages/storefront/src/"),
    },
  },
  test: { include: ["packages/*/test/**/*.test.ts"] },
});
