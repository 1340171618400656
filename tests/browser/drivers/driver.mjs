// What the tests of the page do in a browser, whichever it is. Things are found as people find them: by what they are
// and what they are called.

/** Runs in the page: marks the first visible element that fits and answers whether there is one. */
function mark({ css, name }) {
  const nameOf = (element) =>
    element.getAttribute("aria-label") ??
    (element.labels?.length > 0 ? element.labels[0].textContent : element.textContent) ??
    "";
  const isShown = (element) => element.type === "file" || element.checkVisibility?.() !== false;
  const found = [...document.querySelectorAll(css)].filter(
    (element) =>
      isShown(element) &&
      nameOf(element)
        .trim()
        .includes(name ?? ""),
  );
  document.querySelector("[data-found]")?.removeAttribute("data-found");
  found[0]?.setAttribute("data-found", "");
  return found.length > 0;
}

const FOUND = "[data-found]";

export class Driver {
  /** Errors of the page, and what its policy refused. */
  complaints = [];

  /** Waits until the page has such an element. */
  async find(css, name) {
    await this.until(mark, { css, name }, `${css} ${name ?? ""}`);
    return FOUND;
  }

  async click(css, name) {
    await this.clickFound(await this.find(css, name));
  }

  async fill(css, name, text) {
    await this.find(css, name);
    await this.evaluate(
      ({ selector, value }) => {
        const field = document.querySelector(selector);
        field.focus();
        // As a browser does it, not as the page might.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      },
      { selector: FOUND, value: text },
    );
  }

  /** Chooses by the text of an option. */
  async choose(css, name, option) {
    await this.find(css, name);
    const value = await this.evaluate(
      ({ selector, text }) => [...document.querySelector(selector).options].find((known) => known.text.includes(text))?.value,
      { selector: FOUND, text: option },
    );
    await this.fill(css, name, value);
  }

  async upload(css, file) {
    await this.uploadFound(await this.find(css), file);
  }

  /** The text of the first one that is there. */
  async text(css, name) {
    await this.find(css, name);
    return this.evaluate((selector) => document.querySelector(selector).innerText, FOUND);
  }

  count(css) {
    return this.evaluate((selector) => document.querySelectorAll(selector).length, css);
  }

  /** Waits until an element has this in its text. */
  async says(css, text) {
    const has = ({ selector, wanted }) =>
      [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(wanted));
    await this.until(has, { selector: css, wanted: text }, `${css} to say ${text}`);
  }
}
