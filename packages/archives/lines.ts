/** A line of a Markdown text. */
interface MarkdownLine {
  readonly line: string;
  /** Whether it belongs to a block of code, its fences included. */
  readonly isCode: boolean;
}

/** The lines of a Markdown text. */
export function* linesOf(text: string): Generator<MarkdownLine, void> {
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    yield { line, isCode: fence !== null || mark !== undefined };
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
}
