// npm run build: builds pkg/, after installing what that needs.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
import("./built.mjs");
