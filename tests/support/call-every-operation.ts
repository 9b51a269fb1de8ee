import { createNectar, type LocalFile, type NectarOptions } from "#client";
import { OPERATIONS } from "#client/operations.generated";

export { createNectar };

/** Calls every operation of the client once, and sends two photos that are too large for a request. */
export async function callEveryOperation(
  baseUrl: string,
  { small, large }: { readonly small: Blob | LocalFile; readonly large: Blob | LocalFile },
  options: Partial<NectarOptions> = {},
): Promise<void> {
  const nectar = createNectar({ baseUrl, token: () => "a-token", retries: 0, ...options });
  for (const [group, operations] of Object.entries(OPERATIONS)) {
    for (const [name, { path, body }] of Object.entries(operations)) {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, "x"]);
      const input = { ...Object.fromEntries(parameters), ...(body === "form" && { photo: small }) };
      await Reflect.get(Reflect.get(nectar, group), name)(input);
    }
  }
  await nectar.checkIn({ photo: large, activityType: "walk" });
  await nectar.addPicture({ picture: large, entry_id: "x" });
}
