import { expect, it } from "vitest";
import { canonicalTimeZone } from "#core/time/time-zone";
import { useActing } from "../support/acting.ts";

const acting = useActing();

/** Names that the packages of Debian and Alpine leave out, because the IANA database has newer ones. */
const OLD_NAMES =
  /^(US|Brazil|Canada|Chile|Mexico|SystemV)\/|^[^/]+$|^(Africa\/(Asmera|Timbuktu)|America\/(Argentina\/ComodRivadavia|Atka|Buenos_Aires|Catamarca|Coral_Harbour|Cordoba|Ensenada|Fort_Wayne|Godthab|Indianapolis|Jujuy|Knox_IN|Louisville|Mendoza|Montreal|Nipigon|Pangnirtung|Porto_Acre|Rainy_River|Rosario|Santa_Isabel|Shiprock|Thunder_Bay|Virgin|Yellowknife)|Antarctica\/South_Pole|Asia\/(Ashkhabad|Calcutta|Choibalsan|Chongqing|Chungking|Dacca|Harbin|Istanbul|Kashgar|Katmandu|Macao|Rangoon|Saigon|Tel_Aviv|Thimbu|Ujung_Pandang|Ulan_Bator)|Atlantic\/(Faeroe|Jan_Mayen)|Australia\/(ACT|Canberra|Currie|LHI|North|NSW|Queensland|South|Tasmania|Victoria|West|Yancowinna)|Europe\/(Belfast|Kiev|Nicosia|Tiraspol|Uzhgorod|Zaporozhye)|Pacific\/(Enderbury|Johnston|Ponape|Samoa|Truk|Yap)|Etc\/(GMT|UCT|Greenwich|Universal|Zulu)$)/;

it("every zone has a current name that every PostgreSQL knows, with the same clock", async () => {
  const { rows: known } = await acting.admin.query<{ name: string }>("select name from pg_timezone_names");
  const pairs = known.flatMap(({ name }) => {
    const current = canonicalTimeZone(name.toLowerCase());
    return current === null ? [] : [{ name, current }];
  });
  expect(pairs.length).toBeGreaterThan(550);
  expect(pairs.filter(({ current }) => current !== "UTC" && OLD_NAMES.test(current))).toEqual([]);
  expect(pairs.filter(({ current }) => canonicalTimeZone(current) !== current)).toEqual([]);
  const { rows: different } = await acting.admin.query(
    `select p.name, p.current, m.moment from jsonb_to_recordset($1::jsonb) p (name text, current text)
     cross join generate_series(timestamptz '2026-01-01', '2026-12-31', '5 days') m (moment)
     where m.moment at time zone p.name <> m.moment at time zone p.current`,
    [JSON.stringify(pairs)],
  );
  expect(different).toEqual([]);
});

it("a zone that PostgreSQL does not know is refused when it is stored", async () => {
  await acting.person();
  const change = acting.admin.query("update nectar.accounts set timezone = 'Mars/Olympus'");
  await expect(change).rejects.toMatchObject({ code: "NX000", detail: "request.invalid", column: "timezone" });
});
