// The request and the response around the bytes. Values that grant access are hidden.
import { shownUrl, shownValue } from "../capture/exchange.js";
import { parseJson } from "../capture/values.js";
import { JsonTree } from "./json-tree.jsx";

/** @import { Header } from "../capture/exchange.js" */
/** @import { OpenSession } from "../session/session.js" */

/** @param {{ session: OpenSession }} props */
export function ExchangeView({ session }) {
  const { request, response, failure, duration, timings = [] } = session.recording.exchange ?? {};
  if (!request && !response) {
    return (
      <p class="faint">
        The capture has only the body. A HAR file, or the output of <code>curl -i</code>, also has the status and the headers.
      </p>
    );
  }
  return (
    <div class="exchange">
      {request && (
        <>
          <h3>Request</h3>
          <p>
            <code>
              {request.method} {shownUrl(request.url)}
            </code>
          </p>
          <Headers label="Request headers" headers={request.headers} />
          {request.body !== undefined && <Body text={request.body} />}
        </>
      )}
      <h3>Response</h3>
      <p>
        {response && response.status > 0 ? (
          <code>
            {response.status} {response.statusText}
          </code>
        ) : (
          "No response."
        )}
        {duration !== undefined && <span class="faint"> in {Math.round(duration).toLocaleString("en")} ms</span>}
      </p>
      {failure && (
        <p class="problem">
          Failed: <code>{failure}</code>
        </p>
      )}
      {response && <Headers label="Response headers" headers={response.headers} />}
      {timings.length > 0 && <Headers label="Timings" headers={timings} />}
    </div>
  );
}

/** @param {{ label: string, headers: Header[] }} props */
function Headers({ label, headers }) {
  if (headers.length === 0) return null;
  return (
    <details open>
      <summary>
        {label} <span class="faint">{headers.length}</span>
      </summary>
      <dl class="headers">
        {headers.map((header, index) => (
          <div key={index}>
            <dt>{header[0]}</dt>
            <dd>{shownValue(header)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** @param {{ text: string }} props */
function Body({ text }) {
  const value = parseJson(text);
  return (
    <details open>
      <summary>
        Request body <span class="faint">{text.length.toLocaleString("en")} characters</span>
      </summary>
      {value === undefined ? <pre tabIndex={0}>{text.slice(0, 20_000)}</pre> : <JsonTree value={value} openTo={4} />}
    </details>
  );
}
