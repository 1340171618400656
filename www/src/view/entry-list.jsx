// The responses in a HAR file or a batch.
import { VirtualList } from "./virtual-list.jsx";

/** @import { Entry } from "../capture/capture.js" */

/** @param {{ entries: Entry[], chosen: number, onChoose: (entry: Entry, index: number) => void }} props */
export function EntryList({ entries, chosen, onChoose }) {
  return (
    <div class="entries">
      <VirtualList
        label="Responses in this file"
        count={entries.length}
        rowHeight={30}
        selected={chosen}
        onSelect={(index) => onChoose(entries[index], index)}
        render={(index) => (
          <>
            <span class="summary">{entries[index].name}</span>
            {entries[index].note && <span class="faint">{entries[index].note}</span>}
          </>
        )}
      />
    </div>
  );
}
