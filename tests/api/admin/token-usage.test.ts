import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageCostUsd, textCostUsd } from "#core/money/pricing";
import { PRICES } from "#tests/models";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../../database/support/acting.ts";

const acting = useActing();
const ada = beforeTests(() => acting.person());
const ben = beforeTests(() => acting.person());

const INSERT = `insert into nectar.token_usage (usage_type, model, input_tokens, output_tokens, cost_usd)
  values ('tone_analysis', 'small', 10, 20, 0.000014)`;

async function record(user: string, at: string, cost: string, type = "tone_analysis", tokens = [1, 0]) {
  await acting.admin.query(
    `insert into nectar.token_usage (user_id, usage_type, model, input_tokens, output_tokens, cost_usd, created_at)
     values ($1, $2, 'small', $3, $4, $5, $6)`,
    [user, type, ...tokens, cost, at],
  );
}

async function month(user: string, year: number, inMonth: number) {
  const text = "select * from private.token_usage_monthly($1, $2, $3)";
  const { rows } = await acting.admin.query(text, [user, year, inMonth]);
  expect(rows).toHaveLength(1);
  return rows[0];
}

const ROLES_OF_SUPABASE = ["anon", "authenticated", "service_role"];
/** Calls the public function with a role of Supabase and the claims of a token, as its data API does. */
async function callAs(role: string, caller: string | null, target: string, more = {}) {
  await acting.admin.query("begin");
  try {
    for (const name of ROLES_OF_SUPABASE) {
      await acting.admin.query(`do $$ begin create role ${name}; exception when duplicate_object then null; end $$`);
    }
    await acting.admin.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
      role,
      JSON.stringify(caller === null ? { role } : { sub: caller, role, ...more }),
    ]);
    const { rows } = await acting.admin.query(
      "select * from public.get_user_token_usage_monthly(user_id => $1, year => 2028, month => 2)",
      [target],
    );
    return rows;
  } finally {
    await acting.admin.query("rollback");
  }
}

describe("a calendar month", () => {
  it("includes its first and last millisecond in UTC, and 29 February", async () => {
    await record(ada.id, "2028-01-31T23:59:59.999Z", "0.100000");
    await record(ada.id, "2028-02-01T00:00:00.000Z", "0.000001");
    await record(ada.id, "2028-02-29T12:00:00.000Z", "0.000010");
    await record(ada.id, "2028-02-29T23:59:59.999Z", "0.000100");
    await record(ada.id, "2028-03-01T00:00:00.000Z", "0.200000");
    // 29 February still in New York, 1 March in UTC.
    await record(ada.id, "2028-02-29T22:00:00.000-05:00", "0.400000");
    await acting.admin.query("set timezone = 'America/New_York'");
    const february = { month: "2028-02", total_tokens: "3", total_cost_usd: "0.000111" };
    expect(await month(ada.id, 2028, 2)).toMatchObject(february);
    await acting.admin.query("reset timezone");
    expect(await month(ada.id, 2028, 1)).toMatchObject({ month: "2028-01", total_cost_usd: "0.100000" });
    expect(await month(ada.id, 2028, 3)).toMatchObject({ month: "2028-03", total_cost_usd: "0.600000" });
  });

  it("ends on 28 February in other years, and December ends with the year", async () => {
    const costs = {
      "2027-02-28T23:59:59.999Z": "1.000000",
      "2027-03-01T00:00:00.000Z": "2.000000",
      "2027-12-31T23:59:59.999Z": "4.000000",
      "2026-12-01T00:00:00.000Z": "8.000000",
    };
    for (const [at, cost] of Object.entries(costs)) await record(ada.id, at, cost);
    for (const [at, cost] of Object.entries({ ...costs, "2100-02": "0.000000" })) {
      expect((await month(ada.id, Number(at.slice(0, 4)), Number(at.slice(5, 7)))).total_cost_usd, at).toBe(cost);
    }
  });

  it("adds 1,000 prices exactly, without errors of floating point, for each kind", async () => {
    let text = 0n;
    for (let call = 1; call <= 1000; call += 1) text += BigInt(textCostUsd(PRICES, call, 3 * call).replace(".", ""));
    const values = Array.from({ length: 1000 }, (_, index) => textCostUsd(PRICES, index + 1, 3 * (index + 1)));
    await acting.admin.query(
      `insert into nectar.token_usage (user_id, usage_type, model, input_tokens, output_tokens, cost_usd, created_at)
       select $1, 'note_analysis', 'small', n, 3 * n, cost, '2030-05-05'
       from unnest($2::numeric[]) with ordinality as c (cost, n)`,
      [ben.id, values],
    );
    await record(ben.id, "2030-05-31T00:00:00Z", imageCostUsd(PRICES, "hd"), "background_generation", [0, 0]);
    const { total_tokens, total_cost_usd, breakdown } = await month(ben.id, 2030, 5);
    expect(total_tokens).toBe(String(4 * 500_500));
    expect(BigInt(total_cost_usd.replace(".", ""))).toBe(text + 80_000n);
    const none = { tokens: 0, cost_usd: 0, count: 0 };
    expect(breakdown).toEqual({
      tone: none,
      images: { tokens: 0, cost_usd: 0.08, count: 1 },
      packs: none,
      assistant: none,
      analysis: { tokens: 4 * 500_500, cost_usd: Number(text) / 1_000_000, count: 1000 },
    });
  });
});

/** A fraction of whole numbers, so that nothing is rounded before the end. */
type Fraction = readonly [numerator: bigint, denominator: bigint];
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
/** A fraction rounded half up to hundredths, as text. */
const hundredths = ([a, b]: Fraction) => {
  const rounded = String((a * 200n + b) / (2n * b)).padStart(3, "0");
  return `${rounded.slice(0, -2)}.${rounded.slice(-2)}`;
};

describe("drops_equivalent", () => {
  /** Sets rates in tokens per drop, each from a time on, and records calls with their tokens, by their times. */
  async function convert(year: number, rates: Record<string, string>, calls: Record<string, number>): Promise<string> {
    const { id } = await acting.person();
    for (const [at, rate] of Object.entries(rates)) {
      const text = "insert into nectar.conversion_rates (rate, effective_date) values ($2, $1)";
      await acting.admin.query(text, [`${year}-${at}Z`, rate]);
    }
    for (const [at, tokens] of Object.entries(calls)) {
      await record(id, `${year}-${at}Z`, "0", "tone_analysis", [tokens, 0]);
    }
    return (await month(id, year, 6)).drops_equivalent;
  }

  it("uses the newest rate that is not after a call, to the millisecond", async () => {
    const rates = {
      "05-01T00:00:00": "10",
      "06-10T12:00:00.000": "100",
      "06-10T12:00:00.001": "1000",
      "07-01T00:00:00": "1",
    };
    const calls = {
      "06-01T00:00:00": 10,
      "06-10T11:59:59.999": 10,
      "06-10T12:00:00.000": 10,
      "06-10T12:00:00.001": 10,
      "06-30T23:59:59.999": 10,
    };
    expect(await convert(2031, rates, calls)).toBe("2.12");
  });

  it("uses the later of two rates with the same time, and the first rate for earlier calls", async () => {
    const same = await acting.admin.query(
      `insert into nectar.conversion_rates (rate, effective_date)
       values (50, '2032-06-01T00:00:00Z'), (20, '2032-06-01T00:00:00Z') returning id, rate`,
    );
    const last = same.rows.sort((a, b) => (a.id < b.id ? 1 : -1))[0];
    expect(await convert(2032, {}, { "06-02T00:00": 100 })).toBe((100 / Number(last.rate)).toFixed(2));
    const early = (await acting.person()).id;
    await record(early, "2001-06-01T00:00:00Z", "0", "tone_analysis", [1500, 0]);
    expect((await month(early, 2001, 6)).drops_equivalent).toBe("1.50");
  });

  it("is rounded half up after adding up", async () => {
    const oneRate = await convert(2033, { "06-01T00:00": "600" }, { "06-02T00:00": 1, "06-03T00:00": 2 });
    expect(oneRate, "half a hundredth at one rate").toBe("0.01");
    const rates = { "06-01T00:00": "300", "06-03T00:00": "600" };
    const quotients = await convert(2034, rates, { "06-02T00:00": 1, "06-04T00:00": 1 });
    expect(quotients, "half a hundredth from two periodic quotients").toBe("0.01");
    const less = await convert(2035, { "06-01T00:00": "1000.0001" }, { "06-02T00:00": 5 });
    expect(less, "just less than half a hundredth").toBe("0.00");
  });

  it("is exact for any rates and calls", async () => {
    let year = 2100;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 0, max: 400_000 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async (days) => {
          year += 1;
          const rates = days.map(([rate], day) => [`06-${10 + day}T00:00`, `${rate / 10_000}`] as const);
          const calls = days.map(([, tokens], day) => [`06-${10 + day}T01:00`, tokens] as const);
          const quotients = days.map(([rate, tokens]): Fraction => [BigInt(tokens) * 10_000n, BigInt(rate)]);
          const result = await convert(year, Object.fromEntries(rates), Object.fromEntries(calls));
          expect(result).toBe(hundredths(quotients.reduce(add, [0n, 1n])));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe("public.get_user_token_usage_monthly", () => {
  it("returns users their own month through the data API's role, and the service role any user's", async () => {
    const { id: cleo } = await acting.person();
    for (const cost of ["0.000001", "0.000010", "0.000100"]) await record(cleo, "2028-02-29T12:00:00.000Z", cost);
    const own = await callAs("authenticated", cleo, cleo);
    expect(own).toMatchObject([{ month: "2028-02", total_tokens: "3", total_cost_usd: "0.000111" }]);
    expect(own[0].breakdown.tone).toEqual({ tokens: 3, cost_usd: 0.000111, count: 3 });
    expect(await callAs("service_role", null, cleo)).toEqual(own);
    expect(await callAs("nectar_user", cleo, cleo)).toEqual(own);
  });

  it("refuses programs of others", async () => {
    const program = callAs("authenticated", ada.id, ada.id, { client_id: null });
    await expect(program).rejects.toMatchObject({ code: "42501" });
  });

  it("returns nothing without a user", async () => {
    const anonymous = acting.outcome("anonymous", "select public.get_user_token_usage_monthly(null, 2028, 2)");
    expect(await anonymous).toBe("42501");
  });

  it.each([
    ["another user", "authenticated", () => ben.id],
    ["no user", "authenticated", () => null],
    ["a caller without a token", "anon", () => null],
    ["another user in a request of the API", "nectar_user", () => ben.id],
    ["the service of the API, which has its own way", "nectar_service", () => null],
  ])("refuses %s", async (_, role, caller) => {
    await expect(callAs(role, caller(), ada.id)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("token usage", () => {
  it("is recorded by users for themselves, and hidden from others", async () => {
    await acting.run({ person: ada.id }, INSERT, [], "keep");
    const { rows } = await acting.run({ person: ada.id }, "select * from nectar.token_usage where output_tokens = 20");
    expect(rows).toMatchObject([{ user_id: ada.id, cost_usd: "0.000014" }]);
    expect(await acting.outcome({ person: ben.id }, "select from nectar.token_usage where output_tokens = 20")).toBe(0);
    expect(await acting.outcome("anonymous", INSERT)).not.toBe(1);
  });

  it.each([
    ["a negative number of tokens", "input_tokens", "-1"],
    ["a negative price", "cost_usd", "-0.000001"],
    ["an unknown quality", "image_quality", "'4k'"],
    ["images without a quality", "image_count", "1"],
    ["half a reference", "reference_type", "'journal_entry'"],
  ])("cannot be recorded with %s", async (_, column, value) => {
    const rest = column === "cost_usd" ? "" : ", cost_usd";
    const restValue = column === "cost_usd" ? "" : ", 0";
    const insert = `insert into nectar.token_usage (usage_type, model, ${column}${rest})
      values ('tone_analysis', 'm', ${value}${restValue})`;
    expect(await acting.outcome({ person: ada.id }, insert)).toBe("23514");
  });
});
