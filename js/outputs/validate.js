/** Validators: functions, and schemas that follow the Standard Schema, version 1. */

/** @import { OutputIssue, StandardResult, StandardSchema } from "../types/api.js" */

import { isThenable } from "../abort.js";
import { messageOf, OutputParseError, RespoolError } from "../errors.js";
import { quote } from "../input.js";
import { refuse } from "../read_option.js";

/** @typedef {StandardSchema<unknown, unknown> | ((value: unknown, json?: string) => unknown)} Validator */

/**
 * Returns a validator's result for a value, or a promise of it. Functions also get the JSON text, if there is one.
 *
 * @param {Validator | null | undefined} validator
 * @param {unknown} value
 * @param {string} [json]
 * @returns {unknown}
 */
export function validate(validator, value, json) {
  if (validator === undefined || validator === null) return value;
  try {
    const standard = /** @type {Partial<StandardSchema>} */ (validator)["~standard"];
    const conclude = standard ? validatedValue : (/** @type {unknown} */ result) => result;
    let outcome;
    if (typeof standard?.validate === "function") outcome = standard.validate(value);
    else if (typeof validator === "function") outcome = validator(value, json);
    else
      refuse(
        `The validator is ${quote(validator)}, neither a function nor a Standard Schema; wrap a JSON Schema in a validator of your choice`,
      );
    if (!isThenable(outcome)) return conclude(/** @type {StandardResult<unknown>} */ (outcome));
    return Promise.resolve(outcome)
      .then((result) => conclude(/** @type {StandardResult<unknown>} */ (result)))
      .catch((error) => Promise.reject(typedError(error)));
  } catch (error) {
    throw typedError(error);
  }
}

/** @param {StandardResult<unknown>} result */
function validatedValue(result) {
  const { issues } = result;
  if (issues === undefined || issues === null) return /** @type {{ value: unknown }} */ (result).value;
  throw invalidOutput(Array.from(issues, toIssue));
}

/**
 * Returns the error for a validator's exception. Some schema functions throw their issues.
 *
 * @param {unknown} error
 */
function typedError(error) {
  return RespoolError.isInstance(error) ? error : invalidOutput(issuesOf(error), error);
}

/**
 * @param {unknown} error
 * @returns {OutputIssue[]}
 */
function issuesOf(error) {
  try {
    const { issues } = /** @type {{ issues?: unknown }} */ (error);
    if (Array.isArray(issues)) return issues.map(toIssue);
  } catch {
    // The issues can't be read.
  }
  return [{ path: [], message: messageOf(error) }];
}

/** @typedef {Extract<StandardResult<unknown>, { issues: object }>["issues"][number]} StandardIssue */

/** @type {(issue: StandardIssue) => OutputIssue} */
const toIssue = ({ path, message }) => ({
  // A step of the path may be wrapped in an object.
  path: Array.from(path ?? [], (step) => (typeof step === "object" && step !== null ? step.key : step)),
  message,
});

/**
 * @param {OutputIssue[]} issues
 * @param {unknown} [cause]
 */
function invalidOutput(issues, cause) {
  return new OutputParseError("invalid-output", `The output doesn't match the schema: ${issuesText(issues)}`, { issues, cause });
}

/**
 * Formats issues: `days[0].port: must be a string; …`.
 *
 * @param {readonly OutputIssue[]} issues
 */
export const issuesText = (issues) =>
  issues
    .map(({ path, message }) => (path.length > 0 ? `${pathText(path)}: ${messageOf(message)}` : messageOf(message)))
    .join("; ");

/**
 * Formats a path: `days[0].port`.
 *
 * @param {PropertyKey[]} path
 */
function pathText(path) {
  return path.reduce(
    /** @type {(text: string, step: PropertyKey) => string} */
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}${text && "."}${messageOf(step)}`),
    "",
  );
}
