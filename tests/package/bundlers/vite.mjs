import address from "respool/respool.wasm?url";
import { checkPage } from "./page.mjs";

checkPage(address);
