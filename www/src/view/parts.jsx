// Parts of an answer that are neither text nor tool calls: what the provider ran itself, images, speech.
import { JsonTree } from "./json-tree.jsx";

export const Parts = ({ parts }) => parts.map((part, at) => <Part key={at} part={part} />);

function Part({ part }) {
  switch (part.type) {
    case "server_tool":
      return (
        <details class="server-tool">
          <summary>
            <span class="tag">run by the provider</span> {part.name}
          </summary>
          <JsonTree value={{ call: part.call, result: part.result }} />
        </details>
      );
    case "image":
      return part.base64 ? (
        <img
          class="picture"
          alt="An image that the model made"
          src={`data:image/${imageType(part.base64)};base64,${part.base64}`}
        />
      ) : (
        <p class="faint">An image: {part.url}</p>
      );
    case "audio":
      return <p class="faint">Speech{part.transcript ? `: ${part.transcript}` : ""}</p>;
    default:
      return <JsonTree value={part} />;
  }
}

/** By how its base64 begins. */
function imageType(base64) {
  if (base64.startsWith("/9j/")) return "jpeg";
  return base64.startsWith("UklG") ? "webp" : "png";
}
