import { chromium } from "playwright-core";
import { serve } from "./scripts/www/serve.mjs";
const server = await serve("/tmp/wt/page/www");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const errors = [];
const shot = async (name, { width, height, scheme }, work) => {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.on("console", (m) => errors.push(name + ": " + m.type() + " " + m.text()));
  page.on("pageerror", (e) => errors.push(name + ": " + e.stack));
  await page.goto(server.origin);
  try { await work(page); } catch (e) { errors.push(name + " " + e.message); }
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/shots/${name}.png` });
  await page.close();
};
const which = process.argv[2];
const wide = (scheme) => ({ width: 1440, height: 900, scheme });
const narrow = (scheme) => ({ width: 360, height: 780, scheme });
const sample = (title) => async (page) => { await page.getByRole("button", { name: title }).click(); await page.getByRole("listbox", { name: "Events" }).waitFor(); page.setDefaultTimeout(4000); };
const jobs = {
  "welcome-light": () => shot("welcome-light", wide("light"), async () => {}),
  "wide-light": () => shot("wide-light", wide("light"), async (p) => { await sample("Anthropic: thinking")(p); await p.locator(".timeline [role=option]").nth(6).click(); }),
  "wide-dark": () => shot("wide-dark", wide("dark"), async (p) => { await sample("Chat: parallel")(p); await p.getByRole("tab", { name: "Over time" }).click(); await p.locator(".timeline [role=option]").nth(6).click(); }),
  "cut-light": () => shot("cut-light", wide("light"), async (p) => { await sample("Cut off")(p); await p.getByRole("tab", { name: "Other reads" }).click(); }),
  "search-dark": () => shot("search-dark", wide("dark"), async (p) => { await sample("Responses")(p); }),
  "batch-light": () => shot("batch-light", wide("light"), async (p) => { await sample("A batch")(p); await p.getByRole("tab", { name: "process" }).click(); }),
  "narrow-light": () => shot("narrow-light", narrow("light"), sample("Anthropic: thinking")),
  "narrow-dark": () => shot("narrow-dark", narrow("dark"), async (p) => { await sample("Chat: parallel")(p); await p.locator(".timeline [role=option]").nth(3).click(); await p.evaluate(() => scrollTo(0, 1000)); }),
  "play-light": () => shot("play-light", wide("light"), async (p) => { await p.getByRole("button", { name: "Playground" }).click(); }),
  "play-narrow": () => shot("play-narrow", narrow("dark"), async (p) => { await p.getByRole("button", { name: "Playground" }).click(); }),
};
for (const [name, job] of Object.entries(jobs)) if (!which || name.includes(which)) await job();
console.log(errors.join("\n") || "no complaints");
await browser.close(); server.close();
