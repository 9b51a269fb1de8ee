import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const USAGE = "/api/user/usage";
const NONE = { tokens: 0, cost_usd: 0, count: 0 };
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
beforeAll(async () => {
  await api.query`insert into nectar.conversion_rates (rate, effective_date)
    values (500, '2026-03-10T12:00:00Z'), (300, '2026-03-10T18:00:00Z')`;
  await api.query`
    insert into nectar.token_usage (user_id, usage_type, model, input_tokens, output_tokens, cost_usd, created_at)
    values (${ada.id}, 'tone_analysis', 'small', 1000, 234, 0.00029, '2026-03-10T11:59:59.999Z'),
      (${ada.id}, 'note_analysis', 'small', 400, 100, 0.000120, '2026-03-10T12:00:00Z'),
      (${ada.id}, 'tone_analysis', 'small', 100, 0, 0.000015, '2026-03-31T23:59:59.999Z'),
      (${ada.id}, 'tone_analysis', 'small', 7, 0, 0.000001, '2026-04-01T00:00:00Z'),
      (${ben.id}, 'tone_analysis', 'small', 5000, 0, 0.000750, '2026-03-10T00:00:00Z')`;
});

const usageOf = async (person: Person, month: string) => (await api.get(`${USAGE}?month=${month}`, person)).body.usage;

describe("GET /api/user/usage", () => {
  it("adds up a month by kind, and converts the tokens of each call at the rate of its time", async () => {
    expect(await usageOf(ada, "2026-03")).toEqual({
      month: "2026-03",
      total_tokens: 1834,
      total_cost_usd: 0.000425,
      // 1,234 / 1,000 + 500 / 500 + 100 / 300
      drops_equivalent: 2.57,
      breakdown: {
        tone: { tokens: 1334, cost_usd: 0.000305, count: 2 },
        images: NONE,
        packs: NONE,
        assistant: NONE,
        analysis: { tokens: 500, cost_usd: 0.00012, count: 1 },
      },
    });
    expect(await usageOf(ada, "2026-04")).toMatchObject({ total_tokens: 7, drops_equivalent: 0.02 });
  });

  it("returns only the caller's own usage, also to an admin", async () => {
    expect(await usageOf(ben, "2026-03")).toMatchObject({ total_tokens: 5000, drops_equivalent: 5 });
    const root = await api.person({ role: "super_admin" });
    expect(await usageOf(root, "2026-03")).toMatchObject({ total_tokens: 0, drops_equivalent: 0 });
  });

  it("is the current UTC month by default, at the current rate", async () => {
    const cleo = await api.person();
    api.at("2031-05-18T12:00:00Z");
    await api.query`insert into nectar.token_usage (user_id, usage_type, model, input_tokens, cost_usd, created_at)
      values (${cleo.id}, 'assistant_drop', 'small', 600, 0.00009, '2031-05-18')`;
    const { usage } = await api.get(USAGE, cleo).ok();
    expect(usage).toMatchObject({ month: "2031-05", total_tokens: 600, drops_equivalent: 2 });
  });

  it("is nothing for a month without usage, and 400 for what is no month", async () => {
    for (const month of ["0001-01", "1969-12", "9999-12"]) {
      expect(await usageOf(ada, month)).toMatchObject({ month, total_tokens: 0, drops_equivalent: 0 });
    }
    for (const month of ["2026", "2026-13", "2026-00", "0000-01", "2026-1", "2026-11-01", "november", "", "%20"]) {
      await api.get(`${USAGE}?month=${month}`, ada).invalid("month");
    }
  });
});
