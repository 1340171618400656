/** Validators: functions, and schemas that follow the Standard Schema, version 1. */

import { OutputParseError, RespoolError, messageOf } from "../errors.js";
import { refuse } from "../options.js";

/** Whether a value is a promise. */
export function isLater(value) {
  try {
    return typeof value?.then === "function";
  } catch {
    return false; // a proxy, or a getter that throws
  }
}

/**
 * What a validator makes of a value; a promise where that comes later. Functions get the JSON text as well, where there
 * is one.
 */
export function validate(validator, value, json) {
  if (validator === undefined || validator === null) return value;
  try {
    const standard = validator["~standard"];
    const conclude = standard ? conclusion : (result) => result;
    let outcome;
    if (typeof standard?.validate === "function") outcome = standard.validate(value);
    else if (typeof validator === "function") outcome = validator(value, json);
    else refuse("the validator is neither a function nor a Standard Schema; wrap a JSON Schema in the validator that you use");
    if (!isLater(outcome)) return conclude(outcome);
    return Promise.resolve(outcome)
      .then(conclude)
      .catch((error) => Promise.reject(refusal(error)));
  } catch (error) {
    throw refusal(error);
  }
}

function conclusion({ value, issues }) {
  if (issues === undefined || issues === null) return value;
  throw unfit(Array.from(issues, toIssue));
}

/** What a validator threw: schemas have functions that throw their issues. */
function refusal(error) {
  return RespoolError.isInstance(error) ? error : unfit(issuesOf(error), error);
}

function issuesOf(error) {
  try {
    if (Array.isArray(error.issues)) return error.issues.map(toIssue);
  } catch {
    // It has none that can be read.
  }
  return [{ path: [], message: messageOf(error) }];
}

/** The steps of the path may stand in objects. */
const toIssue = ({ path, message }) => ({ path: Array.from(path ?? [], (step) => step?.key ?? step), message });

function unfit(issues, cause) {
  const list = issues.map(({ path, message }) =>
    path.length > 0 ? `${pathText(path)}: ${messageOf(message)}` : messageOf(message),
  );
  return new OutputParseError("invalid-output", `The output does not fit the schema: ${list.join("; ")}`, { issues, cause });
}

/** `days[0].port` */
function pathText(path) {
  return path.reduce(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}${text && "."}${messageOf(step)}`),
    "",
  );
}
