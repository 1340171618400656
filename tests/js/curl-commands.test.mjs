// The cURL commands that the inspector's playground takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCurl } from "../../www/src/playground/curl.js";

const URL = "https://a.example/v1/chat";
const request = (more) => ({ method: "GET", url: URL, headers: [], body: "", ...more });
const post = (body, more) => request({ method: "POST", body, ...more });

const COMMANDS = [
  [`curl ${URL}`, request()],
  [`$ curl -N '${URL}' -d '{"a":1}' | tee x.sse`, post('{"a":1}')],
  [`curl -X POST ${URL}`, request({ method: "POST" })],
  [`curl -XPUT ${URL} -HA:b`, request({ method: "PUT", headers: [["A", "b"]] })],
  [`curl -sX POST ${URL}`, request({ method: "POST" })],
  [`curl -sSfLXPOST ${URL}`, request({ method: "POST" })],
  [`curl --retry 3 --retry-delay 1 ${URL}`, request()],
  [`curl -sSd '{"a":1}' ${URL}`, post('{"a":1}')],
  [`curl -sS -d'{"a":1}' ${URL}`, post('{"a":1}')],
  [`curl -sSNH 'A: b' ${URL} --data-raw=x`, post("x", { headers: [["A", "b"]] })],
  [`curl -so out.json -m30 -x https://proxy.example ${URL}`, request()],
  [`curl -so- -u me:secret --proxy https://proxy.example --url ${URL}`, request()],
  [`curl --json '{}' ${URL} https://b.example`, post("{}", { headers: [["content-type", "application/json"]] })],
  [`curl -d a -d b ${URL} > -d c`, post("a&b")],
];

test("options may be grouped and have attached values, and only a URL is read as the URL", () => {
  for (const [command, expected] of COMMANDS) assert.deepEqual(parseCurl(command), expected, command);
});

test("a command for Windows' cmd, as Chrome copies it", () => {
  const [carets, newline] = [String.raw`^"^{^\^"a^\^":^\^"^%^PATH^%^ ^^^\^"^}^"`, `^"x^\n\ny^"`];
  const headers = [["content-type", "application/json"]];
  for (const lineEnd of ["\n", "\r\n"]) {
    const command = `curl ^"${URL}^" ^\n  -H ^"content-type: application/json^" ^\n  --data-raw `.replaceAll("\n", lineEnd);
    assert.deepEqual(parseCurl(command + carets), post('{"a":"%PATH% ^"}', { headers }));
    assert.deepEqual(parseCurl(command + newline), post("x\ny", { headers }));
  }
  assert.deepEqual(parseCurl(`curl ${URL} -d '{"a":"^"}'`), post('{"a":"^"}'));
});

test("text that isn't a cURL command with a URL is rejected", () => {
  for (const text of ["", "wget https://a.example", "curl", "curl -x https://a.example", "curly https://a.example"]) {
    assert.equal(parseCurl(text), undefined, text);
  }
});
