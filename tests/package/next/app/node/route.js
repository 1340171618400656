import * as respool from "respool";
import * as agUi from "respool/ag-ui";
import * as aiSdk from "respool/ai-sdk";
import * as core from "respool/core";
import * as encode from "respool/encode";
import * as otel from "respool/otel";
import check from "../../behaviour.mjs";
import checkSubpaths from "../../subpaths.mjs";

export const dynamic = "force-dynamic";

export async function GET() {
  try {
    // Turbopack reorders functions of the package, so frames of the package stay in stacks.
    const count = await check(respool, { without: ["stacks"] });
    await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
    return new Response(`ok: ${count} checks`);
  } catch (error) {
    return new Response(error.stack, { status: 500 });
  }
}
