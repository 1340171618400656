import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import check from "../../behaviour.mjs";
import checkSubpaths from "../../subpaths.mjs";

export const dynamic = "force-dynamic";

export async function GET() {
  try {
    const count = await check(respool);
    await checkSubpaths(respool, otel, aiSdk);
    return new Response(`ok: ${count} checks`);
  } catch (error) {
    return new Response(error.stack, { status: 500 });
  }
}
