import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Otherwise, Turbopack uses the parent folder as the project.
export default { turbopack: { root: dirname(fileURLToPath(import.meta.url)) } };
