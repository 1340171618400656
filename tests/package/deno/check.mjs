// Deno, without any permission.
import * as respool from "respool";
import check from "../behaviour.mjs";

await check(respool);
