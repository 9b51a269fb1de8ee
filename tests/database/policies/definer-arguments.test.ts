import { describe, expect, it } from "vitest";
import { signUp } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

/*
 * A security definer function does what its caller may not do, so it must not believe what it is given: a mistake in a
 * handler must not do more than the caller may ask for. Every such function that a person's request may call is listed with
 * its arguments and with what it does about them. A new function, or a new argument, is reviewed and added here.
 */
const REVIEWED: Readonly<Record<string, string>> = {
  "audiences_in_notebook(p_notebook_id)": "Only audiences of entries that the policies show to the caller.",
  "accept_invitation(p_token_hash, p_invitation_id)":
    "Only for the caller, with a token or with an invitation to their confirmed address.",
  "activate_tone_pack(p_pack_id)":
    "The caller must own the pack, have bought it, be shared it, or find it public and free.",
  "adjust_drops(p_user_id, p_amount, p_description)": "Super admins only; the ledger bounds the balance.",
  "award_monthly_drops(p_moment)":
    "The moment is now, and the month and the amount follow from it and from the account.",
  "battle_days(p_week)": "Reads sums that everyone signed in may see.",
  "battle_members(p_week)": "Reads counts that everyone signed in may see.",
  "blocked_users()": "About the caller.",
  "allow_own_mail()": "About the caller's own confirmed address.",
  "cancel_note_analysis()": "About the caller.",
  "change_team_admin(p_team_id, p_new_admin_id)": "Owners and super admins only, and only members can be named.",
  "change_horizon()": "Numbers of transactions, which the API encrypts.",
  "change_user_role(p_user_id, p_role)": "Super admins only; the last one stays.",
  "claim_id(p_type, p_id, p_goal_id)":
    "True for a thing of the caller only; the same refusal for everything that has the id.",
  "check_in_details(p_checkin_ids)": "Rows that the caller may not see are left out, and so are their hidden columns.",
  "claim_picture_upload(p_path)": "Only an upload of the caller that is not due to be removed yet.",
  "consume_quota(p_quota, p_units)": "Limits and periods are read in the database; fewer than one unit is refused.",
  "count_players(p_date, p_at, p_grace_minutes)": "Reads counts that everyone signed in may see.",
  "create_appeal(p_decision_id, p_reason, p_moment)":
    "Only a decision about the caller, and the moment is now; constraints bound the reason.",
  "create_import(p_source, p_size)":
    "Only for the caller; the path is built from the caller, and a constraint bounds the size.",
  "create_report(p_report, p_moment)":
    "The moment is now; only what the caller sees, if they had blocked no one, and not their own; the excerpt is read in the database.",
  "create_export()": "Of the caller.",
  "create_email_message(p_recipient, p_subject, p_request, p_moment)":
    "The moment is now; sender, policy and quotas are read in the database.",
  "create_synthetic_users(p_people, p_seed)": "Super admins only; constraints bound every value.",
  "create_token(p_name, p_scopes, p_token_hash, p_hint, p_days)":
    "Only for the caller; constraints bound every value, and how long it lasts.",
  "decline_invitation(p_invitation_id)": "Only an invitation to the confirmed address of the caller.",
  "decline_organization(p_org_id)": "Only an organization that the caller owns and received in the last 14 days.",
  "delete_message(p_message_id, p_team_id, p_entry_id, p_goal_id, p_date)":
    "Only for the sender, an admin of the team, the author of the entry or goal, and admins.",
  "delete_synthetic_user(p_user_id, p_moment)": "Super admins only, and the moment is now.",
  "delete_tone_pack(p_pack_id)": "Only a pack of the caller.",
  "earliest_visible_journal_entries(p_scope, p_after_date, p_after, p_after_id, p_until, p_max)":
    "Ids of what the caller may see.",
  "entry_of_picture(p_id)": "Says only an id, whose policies decide who sees the entry.",
  "expect_new_file(p_kind)": "One of six kinds; the path is built from the caller.",
  "expect_tone_image(p_path)": "The path begins with the caller's id.",
  "find_entries(p_terms, p_in_content)": "Ids of what the caller may see.",
  "delete_photo_note(p_file_id)": "Only a file of the caller that is not due to be removed yet.",
  "list_changes(p_types, p_after, p_after_id, p_bound, p_is_first, p_max)": "Ids of what is the caller's.",
  "is_admin()": "About the caller.",
  "is_checked_in(p_file_id)": "About a check-in of the caller.",
  "is_in_squad(p_squad_id)": "About the caller.",
  "is_human(p_person)": "Says what everyone's card says.",
  "is_primary_admin(p_team_id, p_user_id)": "Says what the team says to its organization.",
  "is_super_admin()": "About the caller.",
  "sees_unshared()": "About the caller.",
  "is_known_member(p_org_id, p_address)":
    "About the caller's own address, and addresses by which someone joined an organization that the caller owns.",
  "lock_commented(p_entry_id, p_goal_id)":
    "Locks a row until the transaction ends; says what the caller may do, and whether the author takes comments.",
  "lock_invitee(p_address)": "Share-locks a person and their pair with the caller; says and writes nothing.",
  "leaderboard_rank(p_user_id)": "Says what the leaderboard says.",
  "lock_group(p_group)": "Locks the group and what is shared with it until the transaction ends; writes nothing.",
  "lock_membership(p_group, p_user_id)":
    "Locks a membership, what its member writes, and what they share with the group; writes nothing.",
  "lock_profiles(p_user_ids)": "Share-locks profiles until the transaction ends; writes nothing.",
  "lock_profile(p_user_id)": "Share-locks a profile until the transaction ends; writes nothing.",
  "lock_writer(p_user_id, p_while_suspended, p_while_closing)":
    "Share-locks a profile until the transaction ends and says that an account is suspended or closing; writes nothing.",
  "log_reads(p_ids, p_with_content)":
    "Writes only for super admins, as themselves, about entries and goals that they see by nothing but this role.",
  "latest_visible_journal_entries(p_scope, p_after_date, p_after, p_after_id, p_until, p_max)":
    "Ids of what the caller may see.",
  "delete_token(p_token_id)": "Only a token of the caller.",
  "has_token(p_token_id, p_locks)": "Says of the id of a token whether it exists, and no more.",
  "list_my_invitations(p_after, p_after_id, p_max)": "About the confirmed address of the caller.",
  "my_administered_team_ids()": "About the caller.",
  "my_audiences()": "About the caller.",
  "my_content_audiences()": "About the caller.",
  "my_organization_ids()": "About the caller.",
  "my_organization_role(p_org_id)": "About the caller.",
  "my_owned_organization_ids()": "About the caller.",
  "my_team_role(p_team_id)": "About the caller.",
  "my_tone_pack_ids()": "About the caller.",
  "newest_visible_journal_entries(p_scope, p_after, p_after_id, p_until, p_max)": "Ids of what the caller may see.",
  "newest_visible_goals(p_scope, p_after, p_after_id, p_until, p_status, p_max)": "Ids of what the caller may see.",
  "newest_visible_notebooks(p_scope, p_after, p_after_id, p_until, p_max)": "Ids of what the caller may see.",
  "record_member_acted(p_groups)": "Only memberships of the caller, and only once each.",
  "oldest_visible_journal_entries(p_scope, p_after, p_after_id, p_until, p_max)": "Ids of what the caller may see.",
  "open_current_battle(p_week, p_moment)": "The moment is now, and the week the current one.",
  "person_with_email(p_address)": "Its callers count against tone_pack_share and do not hand out the id.",
  "preview_audience(p_entry_id, p_goal_id, p_change)":
    "Only entries, goals, notebooks and groups of the caller; says how many people share their groups.",
  "preview_invitation(p_token_hash)": "Only with a token that the caller may use.",
  "preview_notebook_audience(p_notebook_id, p_change)": "Only a notebook of the caller and its entries.",
  "purchase_tone_pack(p_pack_id, p_expected_price)":
    "The price is the pack's; the caller only says which one they expect.",
  "read_audience(p_entry_id, p_goal_id)": "Only an entry or a goal of the caller.",
  "read_erasure()": "About the caller.",
  "recalculate_my_badge(p_moment)": "The moment is now; about the caller.",
  "record_check_in(p_check_in, p_moment, p_grace_minutes)":
    "The moment is now, the date must be open, the path follows from the caller, chips are computed, the grace is bounded.",
  "record_email_result(p_message, p_provider)": "Only a pending mail of the caller.",
  "record_encouragement_drop(p_drop, p_moment)":
    "The moment is now; allowance and template are read in the database. An entry is only an id: its policies decide who sees it.",
  "record_invitation(p_org_id, p_invitation, p_moment)":
    "The moment is now; owners and super admins only; constraints bound every value, and mails are counted in the database.",
  "refund_purchase(p_transaction_id, p_description)": "Super admins only; the amount is the purchase's, once.",
  "has_profile(p_user_id)": "Says whether a profile exists, as everyone's card does.",
  "request_erasure(p_is_now, p_moment)": "About the caller, and the moment is now.",
  "require_drop_recipient(p_recipient_id)":
    "Locks a pair that the caller is one of. Refuses a blocked person exactly as one who does not exist.",
  "current_streak(p_user_id, p_streak, p_ends_on, p_moment)":
    "The moment is now; says of a person whether a date is over in their time zone.",
  "set_goal_status(p_goal_id, p_status, p_moment)": "The moment is now; only a goal of the caller.",
  "require_open_goal(p_goal_id, p_user_id)":
    "Says whether a goal has ended and locks it until the transaction ends; writes nothing.",
  "require_reachable(p_person, p_group)":
    "Share-locks a profile and its pair with the caller. Refuses a blocked person exactly as one who does not exist.",
  "restore_entry(p_id)": "Only an entry in the trash of the caller.",
  "settled_entry(p_entry)":
    "Returns what it is given, unless it belongs to the caller, who may choose it but not its author.",
  "unsettled_sources()": "About the caller.",
  "withdrawn_shares()": "About the caller.",
  "sees_thing(p_entry_id, p_goal_id, p_person_id)":
    "Only an entry of the caller, and a person who shares an organization with the caller.",
  "restore_account()": "About the caller.",
  "start_import(p_id, p_version, p_dry_run)":
    "Only an import of the caller that has not ended; with a version that the archive does not have, it fails.",
  "subscribe_device(p_device, p_default_app)":
    "For the caller; constraints bound every value, and how many devices a person has is said in the database.",
  "trash_entry(p_id)": "Only an entry of the caller.",
  "toggle_synthetic_user(p_user_id, p_is_active)": "Super admins only.",
  "transfer_organization(p_org_id, p_new_owner_id)": "Owners and super admins only, and only to a human member.",
};

const acting = useActing({ moments: "now" });
const ada = beforeTests(() => signUp(acting.adminUrl));
const root = beforeTests(() => signUp(acting.adminUrl, { role: "super_admin" }));

/** The functions that run with their owner's rights and that a person's request may call. */
async function definerFunctions() {
  const { rows } = await acting.admin.query<{ name: string; names: string[]; types: string[]; writes: boolean }>(
    `select p.proname as name,
       coalesce((p.proargnames::text[])[1:p.pronargs], '{}') as names,
       array(select format_type(t.type, null) from unnest(p.proargtypes::oid[]) with ordinality t (type, place)
             order by t.place) as types,
       p.provolatile = 'v' as writes
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('nectar', 'private') and p.prosecdef
       and has_function_privilege('nectar_user', p.oid, 'execute')`,
  );
  return rows;
}

describe("security definer functions that users may call", () => {
  it("are reviewed, with every argument", async () => {
    const found = (await definerFunctions()).map(({ name, names }) => `${name}(${names.join(", ")})`);
    expect(found.toSorted()).toEqual(Object.keys(REVIEWED).toSorted());
  });

  it("refuse any moment other than now", async () => {
    const outcomes: Record<string, unknown> = {};
    for (const { name, names, types, writes } of await definerFunctions()) {
      const at = names.findLastIndex((argument) => /(^|_)moment$/.test(argument));
      // Other times, such as the cursor of a list, are only given to functions that read.
      if (writes) expect(types.includes("timestamp with time zone"), name).toBe(at >= 0);
      if (at < 0) continue;
      const given = types.map((type, place) => (place === at ? "now() - interval '1 day'" : `null::${type}`));
      outcomes[name] = await acting.outcome({ person: root.id }, `select private.${name}(${given.join(", ")})`);
    }
    expect(outcomes).toHaveProperty("award_monthly_drops");
    for (const [name, outcome] of Object.entries(outcomes)) expect.soft(outcome, name).toBe("service.unexpected");
  });
});

describe("what users may write", () => {
  it("is the award of the current month, once", async () => {
    const award = (by: string) =>
      acting.outcome({ person: ada.id }, `select private.award_monthly_drops(now() + interval '${by}')`);
    expect(await award("-1 month")).toBe("service.unexpected");
    expect(await award("1 month")).toBe("service.unexpected");
    const { rows } = await acting.run(
      { person: ada.id },
      `select private.award_monthly_drops(now()) as first, private.award_monthly_drops(now()) as second,
         (select array_agg(month) from nectar.monthly_drop_awards) as before`,
    );
    expect(rows).toEqual([{ first: 30, second: 0, before: null }]);
  });

  it.each([
    ["tokens", "input_tokens", "2000001"],
    ["tokens", "output_tokens", "2000001"],
    ["money", "cost_usd", "10.000001"],
  ])("is at most the %s of one call of a model (%s)", async (_, column, value) => {
    const record = (amount: string) =>
      acting.outcome(
        { person: ada.id },
        column === "cost_usd"
          ? `insert into nectar.token_usage (usage_type, model, cost_usd) values ('tone_analysis', 'm', ${amount})`
          : `insert into nectar.token_usage (usage_type, model, cost_usd, ${column}) values ('tone_analysis', 'm', 0, ${amount})`,
      );
    expect(await record(value)).toBe("23514");
    expect(await record(String(Math.floor(Number(value)) - 1))).toBe(1);
  });
});
