// The actions of the checks in a page, in any browser. They find elements as people do: by kind and name.

/**
 * A page of some browser.
 *
 * @typedef {object} BrowserPage
 * @property {string[]} complaints errors of the page, and loads that its policy blocked
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(run: PageFunction<unknown, unknown> | string, argument: unknown) => Promise<unknown>} evaluate
 * @property {(run: PageFunction<unknown, unknown>, argument: unknown) => Promise<unknown>} waitFor resolves once the
 *   function returns something truthy
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, file: string) => Promise<void>} upload
 * @property {(key: string) => Promise<void>} press
 * @property {(width: number, height: number) => Promise<void>} resize
 * @property {() => Promise<void>} [forceColours] forces the system's colours, if the browser supports that
 * @property {(x: number, y: number, toX: number, toY: number) => Promise<void>} drag with the mouse
 * @property {() => Promise<void>} close
 */

/** A function that runs in the page. @template A, R @typedef {(argument: A) => R | Promise<R>} PageFunction */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * Runs in the page: marks the first visible match and returns whether there is one.
 *
 * @param {{ css: string, name: string | undefined }} target `name`: a part of the element's accessible name
 */
function mark({ css, name = "" }) {
  /** @param {HTMLElement} element */
  const nameOf = (element) => {
    const label = "labels" in element ? /** @type {HTMLInputElement} */ (element).labels?.[0] : undefined;
    return element.getAttribute("aria-label") ?? (label ?? element).textContent ?? "";
  };
  /** @param {HTMLElement} element */
  const isShown = (element) => ("type" in element && element.type === "file") || element.checkVisibility();
  const found = [...document.querySelectorAll(/** @type {"div"} */ (css))].find(
    (element) => isShown(element) && nameOf(element).trim().includes(name),
  );
  document.querySelector("[data-found]")?.removeAttribute("data-found");
  found?.setAttribute("data-found", "");
  return found !== undefined;
}

const FOUND = "[data-found]";

export class Driver {
  #page;

  /** @param {BrowserPage} page */
  constructor(page) {
    this.#page = page;
  }

  get complaints() {
    return this.#page.complaints;
  }

  /** @param {string} url */
  goto(url) {
    return this.#page.goto(url);
  }

  /**
   * Runs a function or a script in the page.
   *
   * @template A, R
   * @param {PageFunction<A, R> | string} run
   * @param {A} [argument]
   * @returns {Promise<R>}
   */
  evaluate(run, argument) {
    const untyped = /** @type {PageFunction<unknown, unknown> | string} */ (run);
    return /** @type {Promise<R>} */ (this.#page.evaluate(untyped, argument));
  }

  /**
   * Waits until a function in the page returns something truthy.
   *
   * @template A
   * @param {PageFunction<A, unknown>} run
   * @param {A} argument
   * @param {string} what it waits for
   */
  async until(run, argument, what) {
    try {
      await this.#page.waitFor(/** @type {PageFunction<unknown, unknown>} */ (run), argument);
    } catch (error) {
      throw new Error(`Waited in vain for ${what}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Waits for an element. @param {string} css @param {string} [name] @returns {Promise<string>} its selector */
  async find(css, name) {
    await this.until(mark, { css, name }, name === undefined ? css : `${css} named ${name}`);
    return FOUND;
  }

  /** @param {string} css @param {string} [name] */
  async click(css, name) {
    await this.#page.click(await this.find(css, name));
  }

  /** @param {string} css @param {string} name @param {string} text */
  async fill(css, name, text) {
    const selector = await this.find(css, name);
    await this.evaluate(
      ({ selector, value }) => {
        const field = /** @type {Field} */ (document.querySelector(selector));
        field.focus();
        // The prototype's setter, as the browser uses it, even if the page has overridden the property.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      },
      { selector, value: text },
    );
  }

  /** Chooses an option by its text. @param {string} css @param {string} name @param {string} option */
  async choose(css, name, option) {
    const selector = await this.find(css, name);
    const value = await this.evaluate(
      ({ selector, text }) => {
        const { options } = /** @type {HTMLSelectElement} */ (document.querySelector(selector));
        return [...options].find((known) => known.text.includes(text))?.value;
      },
      { selector, text: option },
    );
    if (value === undefined) throw new Error(`${css} named ${name} has no option ${option}`);
    await this.fill(css, name, value);
  }

  /** @param {string} css @param {string} file */
  async upload(css, file) {
    await this.#page.upload(await this.find(css), file);
  }

  /** Returns the text of the first match. @param {string} css @param {string} [name] */
  async text(css, name) {
    const selector = await this.find(css, name);
    return this.evaluate((found) => /** @type {HTMLElement} */ (document.querySelector(found)).innerText, selector);
  }

  /** @param {string} css */
  count(css) {
    return this.evaluate((selector) => document.querySelectorAll(selector).length, css);
  }

  /** Waits until a match contains the text. @param {string} css @param {string} text */
  async says(css, text) {
    /** @param {{ selector: string, expected: string }} target */
    const contains = ({ selector, expected }) =>
      [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(expected));
    await this.until(contains, { selector: css, expected: text }, `${css} to say ${text}`);
  }

  /** @param {string} key */
  press(key) {
    return this.#page.press(key);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    return this.#page.resize(width, height);
  }

  /** Forces the system's colours, and returns whether the browser supports that. */
  async forceColours() {
    await this.#page.forceColours?.();
    return this.#page.forceColours !== undefined;
  }

  /** Presses the mouse in the middle of an element, moves it, and releases it. @param {string} css @param {string} name @param {number} right @param {number} down */
  async drag(css, name, right, down) {
    const selector = await this.find(css, name);
    const [x, y] = await this.evaluate((found) => {
      const { left, top, width, height } = /** @type {HTMLElement} */ (document.querySelector(found)).getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }, selector);
    await this.#page.drag(x, y, x + right, y + down);
  }

  /** Clicks at a position in the window. @param {number} x @param {number} y */
  clickAt(x, y) {
    return this.#page.drag(x, y, x, y);
  }

  close() {
    return this.#page.close();
  }
}
