-- Why: What a player sees of a date: the neighbors, the squad, and their check-ins.

create type private.matched_window as (start text, "end" text, timezone text);
create type private.player_card as (
  id uuid, full_name text, avatar_url text, is_ai boolean, "window" private.matched_window,
  activity_type nectar.activity_type, custom_activity text
);
comment on type private.player_card is
  'What players see of the others who play on a date, with the window as it was matched.';

-- Returns the cards of those of some people who play on a date.
create function private.player_cards(p_date date, p_user_ids uuid[]) returns setof private.player_card
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select p.id, p.full_name, p.avatar_url, p.is_ai,
      row(to_char(c.window_start_time, 'HH24:MI'), to_char(c.window_end_time, 'HH24:MI'), c.timezone)::private.matched_window,
      c.activity_type, c.custom_activity
    -- A plan for any number of people is used again; one for this number would be made each time.
    from (select distinct o.id from unnest((select p_user_ids)::uuid[]) o (id)) o
    -- The limits make these a search for each of them; a join may read all profiles.
    cross join lateral (
      select c.window_start_time, c.window_end_time, c.timezone, c.activity_type, c.custom_activity
      from nectar.chains c where c.user_id = o.id and c.date = p_date limit 1
    ) c
    cross join lateral (
      select p.id, p.full_name, p.avatar_url, p.is_ai from nectar.profiles p where p.id = o.id limit 1
    ) p;
end $$;
grant execute on function private.player_cards(date, uuid[]) to nectar_user;

create type private.squad_of_day as (
  user_1_id uuid, user_2_id uuid, user_3_id uuid, team_color nectar.team_color
);
comment on type private.squad_of_day is 'The members of a squad, null for those who left.';
create type private.chain_of_day as (
  team_color nectar.team_color, before_user_id uuid, after_user_id uuid, squad private.squad_of_day,
  cards private.player_card[], check_ins private.seen_check_in[]
);
comment on type private.chain_of_day is
  'The neighbors and the squad of a person on a date, the cards of all of them, and check-ins.';

-- Returns a person's neighbors and squad on a date with check-ins, or nothing if they do not play then. The check-ins
-- are those of the squad, or of the person and the neighbors, oldest first.
create function private.read_chain(p_user_id uuid, p_date date, p_of_squad boolean) returns private.chain_of_day
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row(
      c.team_color, c.before_user_id, c.after_user_id,
      case
        when q.id is not null then row(q.user_1_id, q.user_2_id, q.user_3_id, q.team_color)::private.squad_of_day
      end,
      array(
        select k from private.player_cards(
          p_date, array[c.user_id, c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id]
        ) k
      ),
      array(
        select s
        from private.check_ins_of(
          case
            when p_of_squad then array[q.user_1_id, q.user_2_id, q.user_3_id]
            else array[c.before_user_id, c.user_id, c.after_user_id]
          end,
          p_date
        ) s
        order by s.created_at, s.id
      )
    )::private.chain_of_day
    from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    where c.date = p_date and c.user_id = p_user_id
  );
end $$;
grant execute on function private.read_chain(uuid, date, boolean) to nectar_user;
