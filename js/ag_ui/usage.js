/** The usage of a run in AG-UI's accounting. */

/** @import { UsageSum } from "../usage_sum.js" */
/** @import { AgUiUsage } from "../types/ag_ui.js" */

import { COMMON_COUNTS } from "../usage_sum.js";

const COUNTS = /** @type {const} */ ({ ...COMMON_COUNTS, cacheWriteInputTokens: "cacheWriteTokens" });

/**
 * Returns one entry for the whole run, or none if no provider reported a usage.
 *
 * @param {UsageSum} usage
 * @param {string | undefined} model
 * @returns {{ usage?: AgUiUsage[] }}
 */
export function usageOf(usage, model) {
  const totals = usage.totals(COUNTS);
  if (totals === undefined || Object.keys(totals).length === 0) return {};
  return { usage: [{ ...(model !== undefined && { model }), ...totals }] };
}
