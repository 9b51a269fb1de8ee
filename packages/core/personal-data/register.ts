import { ACCOUNT_TABLES } from "./accounts.ts";
import { AUTH_TABLES } from "./auth.ts";
import { GAME_TABLES } from "./game.ts";
import type { PersonalFile, PersonalTable } from "./kinds.ts";
import { SHARING_TABLES } from "./sharing.ts";
import { WRITING_TABLES } from "./writing.ts";

/** The register of personal data: every column of every table, what an export says of it, and how it is erased. */
export const TABLES: Readonly<Record<string, PersonalTable>> = {
  ...ACCOUNT_TABLES,
  ...WRITING_TABLES,
  ...SHARING_TABLES,
  ...GAME_TABLES,
  ...AUTH_TABLES,
};

const FILE_OF_ROW = { by: "housekeeping: deleting the row of the file notes it for removal" } as const;
const NOTED_FILE = { by: "housekeeping: the file is noted for removal before it is stored" } as const;

/** The register of personal data: every kind of file, by its name in the code that stores it. */
export const FILES: Readonly<Record<string, PersonalFile>> = {
  checkins: { store: "the private bucket", exported: "files/photos", erased: FILE_OF_ROW },
  backgrounds: { store: "the private bucket", exported: "files/backgrounds", erased: FILE_OF_ROW },
  "tone-packs": {
    store: "Supabase Storage, or a folder of the private bucket that the server shows to everyone",
    exported: "files/tone-images",
    erased: FILE_OF_ROW,
  },
  "checkin-uploads": {
    store: "the private bucket",
    left: "A photo on its way to a check-in, for an hour; the check-in's own photo is exported.",
    erased: NOTED_FILE,
  },
  imports: {
    store: "the private bucket",
    left: "An archive on its way to becoming entries, for a day after it was uploaded or last used.",
    erased: NOTED_FILE,
  },
  exports: { store: "the private bucket", left: "An export has no exports in it.", erased: FILE_OF_ROW },
  mosaics: {
    store: "the private bucket",
    left: "A picture of all players, a dot for each.",
    erased: { kept: "The picture shows a dot without a name." },
  },
};

/** A column of a table as the register names it, with the field of the export if that has another name. */
export interface RegisteredColumn {
  readonly column: string;
  readonly field: string;
}

/** The columns of a list in the register, such as `id found_mood>mood`. */
export function columnsOf(list: string): RegisteredColumn[] {
  return list.split(" ").map((name) => {
    const [column = "", field = column] = name.split(">");
    return { column, field };
  });
}
