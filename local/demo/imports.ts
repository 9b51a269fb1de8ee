import { demoImports } from "./data.ts";
import { idOf, moment, type Past } from "./past.ts";
import { insertRows, stableId } from "./rows.ts";

/** A dry run of an import, with what it would create and what is wrong with the other files. */
export async function writeImports(past: Past): Promise<void> {
  await insertRows(
    past.client,
    "nectar.journal_imports",
    demoImports,
    ({ person, source, size, daysAgo, ...counts }) => {
      const id = stableId(`import ${source} of ${person}`);
      return {
        ...{ id, user_id: idOf(past, person), source, size, status: "done", dry_run: true, ...counts },
        path: `imports/${idOf(past, person)}/${id}.zip`,
        is_checked: false,
        created_at: moment(past, daysAgo, "19:20"),
      };
    },
  );
}
