/** Whether a file belongs to the system or the program that made the archive, and not to the person's texts. */
export function isHidden(path: string): boolean {
  return path.split("/").some((part) => part === "__MACOSX" || (part.startsWith(".") && part !== "."));
}

/** The name of a file without its folders and its ending; of a text in a bundle, the name of the bundle. */
export function baseName(path: string): string {
  const [, bundle] = /([^/]+)\.textbundle\/text\.[^/]*$/i.exec(path) ?? [];
  if (bundle !== undefined) return bundle;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
