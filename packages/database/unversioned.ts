/** A row as it is sent: without its version, which the etag stands for. */
export function unversioned<Row extends { readonly version: string }>({
  version: _,
  ...sent
}: Row): Omit<Row, "version"> {
  return sent;
}
