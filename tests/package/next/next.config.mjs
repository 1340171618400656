import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Without it the folder around this one counts as the project.
export default { turbopack: { root: dirname(fileURLToPath(import.meta.url)) } };
