// Answers, line by line, where a specifier in a file leads: [file, specifier] in, {path} or {error} out.
import { createInterface } from "node:readline";
import { dirname } from "node:path";
import { ResolverFactory } from "oxc-resolver";

const options = {
  extensions: [
    ...[".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"],
    ...[".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte", ".astro", ".json"],
  ],
  extensionAlias: {
    ".js": [".js", ".ts", ".tsx", ".jsx", ".d.ts"],
    ".jsx": [".jsx", ".tsx", ".d.ts"],
    ".mjs": [".mjs", ".mts", ".d.mts"],
    ".cjs": [".cjs", ".cts", ".d.cts"],
  },
  conditionNames: ["source", "development", "import", "module", "require", "node", "default", "types"],
  mainFields: ["source", "module", "main", "types", "typings"],
  builtinModules: true,
  nodePath: false,
};
const resolver = new ResolverFactory({ ...options, tsconfig: "auto" });
// A tsconfig that extends a package which is not installed ends every resolution below it.
const withoutTsconfig = new ResolverFactory(options);

for await (const line of createInterface({ input: process.stdin })) {
  const [file, specifier] = JSON.parse(line);
  let { path, error } = resolver.resolveFileSync(file, specifier);
  if (error?.includes("sconfig")) ({ path, error } = withoutTsconfig.sync(dirname(file), specifier));
  console.log(JSON.stringify(path ? { path } : { error }));
}
