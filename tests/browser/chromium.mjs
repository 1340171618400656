// Starts and ends the browser.

const FLAGS = [
  "--no-sandbox", // it runs as root in containers
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  // It is to ask nobody for anything.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Runs `work` with the browser, which is closed whatever happens. */
export async function withChromium(executablePath, work) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** A new page, of which errors and refused loads are collected in `complaints`. */
export async function openPage(browser, options) {
  const page = await browser.newPage(options);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { page, complaints };
}
