// The package's behaviour, as far as it could depend on the runtime. Every runtime runs all of these tests, so they use
// only features that all runtimes have. Other tests check the details.
import answers from "./suite/answers.mjs";
import converters from "./suite/converters.mjs";
import corpus from "./suite/corpus.mjs";
import errors from "./suite/errors.mjs";
import life from "./suite/life.mjs";
import outputs from "./suite/outputs.mjs";
import runner from "./suite/runner.mjs";
import sources from "./suite/sources.mjs";
import stacks from "./suite/stacks.mjs";
import streams from "./suite/streams.mjs";
import textFormats from "./suite/text_formats.mjs";
import texts from "./suite/texts.mjs";
import tracing from "./suite/tracing.mjs";

const PARTS = {
  answers,
  converters,
  corpus,
  errors,
  life,
  outputs,
  runner,
  sources,
  stacks,
  streams,
  textFormats,
  texts,
  tracing,
};

/**
 * Checks a loaded copy of the package. Rejects with the first failure.
 *
 * @param {object} respool
 * @param {{ without?: string[] }} [options] the parts that the runtime can't run
 * @returns {Promise<number>} the number of tests, which shows if a runtime skips some
 */
export default async function check(respool, { without = [] } = {}) {
  let count = 0;
  for (const [part, tests] of Object.entries(PARTS)) {
    if (without.includes(part)) continue;
    for (const [name, test] of Object.entries(tests)) {
      try {
        await test(respool);
      } catch (error) {
        throw new Error(`${part}, ${name}: ${error.message}`, { cause: error });
      }
      count += 1;
    }
  }
  return count;
}
