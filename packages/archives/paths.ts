/** Whether a file belongs to the system or the program that made the archive, and not to the person's texts. */
export function isHidden(path: string): boolean {
  return path.split("/").some((part) => part === "__MACOSX" || (part.startsWith(".") && part !== "."));
}

/** The name of a file without its folders and its ending. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
