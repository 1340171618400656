import address from "respool/respool.wasm";
import { checkPage } from "./page.mjs";

checkPage(address);
