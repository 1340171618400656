// The legend for the colours of events. Each entry also filters the events.
import { useMemo } from "preact/hooks";
import { ALL_TOPICS, topicsOf } from "../capture/event.js";

/** @import { Topic } from "../capture/event.js" */
/** @import { Recording } from "../session/recording.js" */

/** @type {Record<Topic, string>} */
const NAMES = {
  text: "text",
  reasoning: "reasoning",
  tools: "tools",
  ending: "usage and finish",
  problems: "problems",
  other: "other",
  nothing: "adds nothing",
};

/**
 * @param {object} props
 * @param {Recording} props.recording
 * @param {Topic | "all"} props.chosen
 * @param {(topic: Topic | "all") => void} props.onChoose
 */
export function Legend({ recording, chosen, onChoose }) {
  const count = recording.deltas.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the deltas grow in place, so their count tells when they changed
  const counts = useMemo(() => countTopics(recording), [recording, count]);
  const topics = ALL_TOPICS.filter((topic) => counts.has(topic) || topic === chosen);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="legend" role="group" aria-label="Show only">
      {topics.map((topic) => (
        <button
          key={topic}
          type="button"
          class={`small quiet is-${topic}`}
          aria-pressed={topic === chosen}
          title={topic === chosen ? "Show all events" : `Show only: ${NAMES[topic]}`}
          onClick={() => onChoose(topic === chosen ? "all" : topic)}
        >
          <span class="swatch" />
          {NAMES[topic]} <span class="faint">{(counts.get(topic) ?? 0).toLocaleString("en")}</span>
        </button>
      ))}
    </div>
  );
}

/** @param {Recording} recording */
function countTopics({ deltas }) {
  /** @type {Map<Topic, number>} */
  const counts = new Map();
  for (const list of deltas) for (const topic of topicsOf(list)) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return counts;
}
