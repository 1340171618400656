// A walk through the page, as somebody does who opens it for the first time.
import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";
import { bundlePage } from "../../scripts/www/bundle.mjs";
import { serve } from "../../scripts/www/serve.mjs";
import { openPage } from "./chromium.mjs";

const BODY = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "gpt-4.1-mini",
  choices: [{ index: 0, message: { role: "assistant", content: "High water at noon." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
});

export async function checkPage(browser) {
  await bundlePage();
  const server = await serve(join(ROOT, "www"));
  try {
    for (const colorScheme of ["light", "dark"]) await walk(browser, server.origin, colorScheme);
  } finally {
    server.close();
  }
}

async function walk(browser, origin, colorScheme) {
  const { page, complaints } = await openPage(browser, { colorScheme });
  const result = () => page.locator("#result").innerText();
  const status = () => page.getByRole("status").innerText();
  await page.goto(origin);

  await page.getByRole("button", { name: "Show an example" }).click();
  assert.match(await status(), /ended complete/);
  assert.match(await result(), /find_departures\(\{"from":"Tromsø"/);
  assert.match(await result(), /totalTokens: 305/);

  await page.getByRole("textbox", { name: "Capture" }).fill(BODY);
  assert.match(await status(), /openai-chat/);
  assert.match(await result(), /High water at noon\./);

  await page.getByRole("textbox", { name: "Capture" }).fill('{"hello":"world"}');
  assert.match(await status(), /unknown-response/);

  await page.getByLabel("Open a file").setInputFiles(join(ROOT, "samples", "chat-tool-calls.sse"));
  await page.getByText("get_marine_forecast", { exact: false }).last().waitFor();

  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await status(), "Nothing read yet.");

  assert.deepEqual(complaints, []);
  await page.close();
}
