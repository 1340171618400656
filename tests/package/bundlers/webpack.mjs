import { checkPage } from "./page.mjs";

checkPage(new URL("respool/respool.wasm", import.meta.url));
