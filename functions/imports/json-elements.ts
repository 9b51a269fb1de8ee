/** The text of an element, or null for one that is too long. */
type ElementText = string | null;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Cuts the list in a JSON document into the texts of its elements, so that a list of any length takes the memory of one
 * element. The list is the document itself, or the value of `key` in it.
 * @param chunks the document
 * @param maxLength of an element's text; of a longer one nothing is kept
 * @throws SyntaxError if there is no such list, or it does not end. Elements are not checked
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  key: string,
  maxLength: number,
): AsyncGenerator<ElementText, void> {
  const cutter = new ListCutter(key, maxLength);
  for await (const chunk of chunks) yield* cutter.cut(chunk);
  if (cutter.state !== "after list") throw new SyntaxError("The document has no complete list.");
}

class ListCutter {
  state: "before list" | "in list" | "after list" = "before list";
  readonly #key: string;
  readonly #maxLength: number;
  /** Brackets and braces that are open, the one of the list included. */
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The last string directly in the document, in quotes: the name of a field once a colon follows. */
  #lastString = "";
  #isValueOfKey = false;
  #element = "";
  #isTooLong = false;
  #hasElement = false;
  #listDepth = 0;

  constructor(key: string, maxLength: number) {
    this.#key = JSON.stringify(key);
    this.#maxLength = maxLength;
  }

  *cut(chunk: string): Generator<ElementText, void> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.state === "after list") return;
      const code = chunk.charCodeAt(index);
      if (this.#inString) {
        this.#readInString(code, chunk, index);
      } else if (this.state === "before list") {
        this.#lookForList(code);
        start = index + 1;
      } else if (this.#isEnd(code)) {
        this.#keep(chunk.slice(start, index));
        start = index + 1;
        if (this.#hasElement) yield this.#takeElement();
        if (code === CLOSE_BRACKET) this.state = "after list";
      } else {
        this.#readInList(code);
      }
    }
    if (this.state === "in list") this.#keep(chunk.slice(start));
  }

  #readInString(code: number, chunk: string, index: number): void {
    if (this.state === "before list" && this.#depth === 1 && this.#lastString.length <= this.#key.length) {
      this.#lastString += chunk.charAt(index);
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#inString = false;
  }

  #lookForList(code: number): void {
    if (code <= SPACE) return;
    if (code === OPEN_BRACKET && (this.#depth === 0 || (this.#depth === 1 && this.#isValueOfKey))) {
      this.state = "in list";
      this.#depth += 1;
      this.#listDepth = this.#depth;
      return;
    }
    this.#isValueOfKey = code === COLON && this.#depth === 1 && this.#lastString === this.#key;
    if (code === QUOTE) {
      this.#inString = true;
      this.#lastString = '"';
    } else {
      this.#countDepth(code);
    }
  }

  #readInList(code: number): void {
    if (code > SPACE) this.#hasElement = true;
    if (code === QUOTE) this.#inString = true;
    else this.#countDepth(code);
  }

  /** Whether a character ends an element of the list. */
  #isEnd(code: number): boolean {
    return this.#depth === this.#listDepth && (code === COMMA || code === CLOSE_BRACKET);
  }

  #countDepth(code: number): void {
    if (code === OPEN_BRACKET || code === OPEN_BRACE) this.#depth += 1;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#depth -= 1;
  }

  #keep(text: string): void {
    if (this.#isTooLong) return;
    if (this.#element.length + text.length <= this.#maxLength) {
      this.#element += text;
    } else {
      this.#element = "";
      this.#isTooLong = true;
    }
  }

  #takeElement(): ElementText {
    const text = this.#isTooLong ? null : this.#element;
    this.#element = "";
    this.#isTooLong = false;
    this.#hasElement = false;
    return text;
  }
}
