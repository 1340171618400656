// Shows a text of the response as blocks, Markdown or plain. Unchanged blocks aren't rendered again.
import { Component } from "preact";
import { useMemo } from "preact/hooks";
import { BlockSplitter } from "../markdown/blocks.js";
import { renderBlock } from "../markdown/render.js";

/** @import { Block } from "../markdown/blocks.js" */

/** The block that each element shows. @type {WeakMap<Element, Block>} */
const blocks = new WeakMap();

/** @param {Element} element */
export const blockOf = (element) => blocks.get(element);

/**
 * @param {object} props
 * @param {string} props.text
 * @param {boolean} props.isMarkdown
 * @param {string} props.stream the key of the text in the provenance
 */
export function TextBlocks({ text, isMarkdown, stream }) {
  const splitter = useMemo(() => new BlockSplitter(isMarkdown), [isMarkdown]);
  return (
    <div class={isMarkdown ? "markdown" : "plain"} data-stream={stream}>
      {splitter.update(text).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

/** @extends {Component<{ block: Block }>} */
class BlockView extends Component {
  /** @type {HTMLDivElement | null} */
  #element = null;

  /** @override */
  componentDidMount() {
    this.#show();
  }

  /** @override @param {{ block: Block }} next */
  shouldComponentUpdate({ block }) {
    const { raw, links, isPlain } = this.props.block;
    if (this.#element) blocks.set(this.#element, block);
    return block.raw !== raw || block.isPlain !== isPlain || (block.links !== links && raw.includes("["));
  }

  /** @override */
  componentDidUpdate() {
    this.#show();
  }

  #show() {
    const { block } = this.props;
    if (this.#element === null) return;
    blocks.set(this.#element, block);
    const fragment = block.isPlain ? undefined : renderBlock(block.raw, block.links);
    if (fragment === undefined) showPlain(this.#element, block.raw);
    else this.#element.replaceChildren(fragment);
  }

  /** @override */
  render() {
    const set = (/** @type {HTMLDivElement | null} */ element) => {
      this.#element = element;
    };
    return <div ref={set} class={this.props.block.isPlain ? "block plain" : "block"} />;
  }
}

/** Shows plain text, appending to text that has only grown. @param {HTMLElement} container @param {string} text */
function showPlain(container, text) {
  const [node] = container.childNodes;
  const isGrown = container.childNodes.length === 1 && node instanceof Text && text.startsWith(node.data);
  if (isGrown) node.appendData(text.slice(node.data.length));
  else container.replaceChildren(text);
}
