// The start page: the purpose of the inspector, and how to capture a response.
import { SAMPLES } from "../capture/samples.js";
import { CopyButton } from "./copy-button.jsx";

const COMMAND = `curl -N -i https://api.openai.com/v1/chat/completions \\
  -H "Authorization: Bearer $OPENAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4.1-mini", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}' \\
  | tee capture.sse`;

/** @param {{ onSample: (id: string) => void, onAsk: () => void }} props */
export const Start = ({ onSample, onAsk }) => (
  <main class="start">
    <section class="lead">
      <h2>Find out why your LLM stream broke</h2>
      <p>
        Drop a captured response here. The page says how it ended, where it broke and what to do, and leads to the bytes behind
        each word.
      </p>
      <p class="faint">
        It reads OpenAI chat completions and compatible servers, OpenAI Responses, Anthropic, Gemini, Interactions, Bedrock,
        Ollama, Cohere and Workers AI. What you open never leaves the page.
      </p>
    </section>
    <section class="try" aria-labelledby="try-title">
      <h3 id="try-title">Try a sample</h3>
      <div class="samples">
        {SAMPLES.map(({ id, title, note }, index) => (
          <button key={id} type="button" class={index === 0 ? "sample first" : "sample"} onClick={() => onSample(id)}>
            <span>{title}</span>
            <span class="faint">{note}</span>
          </button>
        ))}
      </div>
    </section>
    <section class="how" aria-labelledby="how-title">
      <h3 id="how-title">Capture a response</h3>
      <div class="ways">
        <div class="way full">
          <div class="toolbar tight">
            <h4>With curl</h4>
            <span class="spacer" />
            <CopyButton title="Copy the command" text={() => COMMAND} />
          </div>
          <pre class="command" tabIndex={0}>
            {COMMAND}
          </pre>
          <p class="faint">
            <code>-N</code> writes bytes as they arrive, <code>-i</code> adds the status and the headers. In PowerShell, use{" "}
            <code>curl.exe -N -i … -o capture.sse</code>.
          </p>
        </div>
        <div class="way">
          <h4>From a browser, with times</h4>
          <ol>
            <li>Open the developer tools, and in them the Network panel, before you send the prompt.</li>
            <li>Send the prompt, and wait until the response ends or breaks.</li>
            <li>
              Chrome, Edge: choose <em>Export HAR</em> (the downward arrow). Firefox: right-click a request,{" "}
              <em>Save all as HAR</em>. Safari: <em>Export</em>.
            </li>
            <li>Drop the .har file here. It contains cookies and keys, so share it with nobody.</li>
          </ol>
        </div>
        <div class="way">
          <h4>Without a capture</h4>
          <p>
            Paste the response, or a <code>curl</code> command, anywhere on this page, or{" "}
            <button type="button" class="link" onClick={onAsk}>
              send a prompt from the playground
            </button>
            .
          </p>
        </div>
      </div>
    </section>
  </main>
);
