// A chat page in a browser, and the scripted model that answers it.
import assert from "node:assert/strict";
import { startModelServer } from "../server/index.mjs";

/** Console messages about failed requests, and about directives that a browser doesn't know. */
const EXPECTED = /Failed to load resource|trusted-types|favicon/i;

/** Runs a test on a page that `start` serves, given the URL of the model. Fails on any other console message. */
export async function onChatPage({ open, start, turns, isStrict }, run) {
  const model = await startModelServer({ isStrict });
  const conversation = model.script(turns);
  const page = await start(conversation.urlOf("openai-chat"));
  const driver = await open();
  try {
    await driver.goto(page.origin);
    await run(driver, conversation);
    assert.deepEqual(
      driver.complaints.filter((complaint) => !EXPECTED.test(complaint)),
      [],
    );
  } finally {
    await driver.close();
    await page.close();
    await model.close();
  }
}

/** Waits until the model server sees that the client disconnected. */
export async function disconnected(request) {
  assert.equal(await request.over, "left");
}
