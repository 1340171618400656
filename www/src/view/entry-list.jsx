// The answers in a HAR file or a batch.
import { VirtualList } from "./virtual-list.jsx";

export function EntryList({ entries, chosen, onChoose }) {
  return (
    <div class="entries">
      <VirtualList
        label="Answers in this file"
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
