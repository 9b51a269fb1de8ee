-- Why: People send each other drops: a few words, a link to media, or a fact. Only the sender and the recipient see
-- what a drop says.

create type nectar.engagement_state as enum ('open', 'engaged', 'expired', 'never');

create table nectar.encouragement_drops (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references nectar.profiles (id) on delete cascade,
  recipient_id uuid not null references nectar.profiles (id) on delete cascade,
  drop_type nectar.encouragement_drop_type not null default 'encouragement',
  template_id uuid references nectar.drop_templates (id) on delete set null,
  title text,
  content text not null,
  media_type nectar.media_type,
  media_url text,
  thumbnail_url text,
  entry_id uuid references nectar.journal_entries (id) on delete set null,
  goal_id uuid references nectar.goals (id) on delete set null,
  is_custom boolean not null,
  date_sent date not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  hidden_at timestamptz(3),
  engagement_until timestamptz(3) not null,
  engagement nectar.engagement_state not null default 'open',
  engaged_at timestamptz(3),
  bonus_drops_awarded integer not null default 0,
  constraint encouragement_drops_about_one_thing check (num_nonnulls(entry_id, goal_id) <= 1),
  constraint encouragement_drops_not_to_sender check (sender_id <> recipient_id),
  constraint encouragement_drops_not_to_the_assistant check (recipient_id <> '00000000-0000-4000-8000-000000000001'),
  constraint encouragement_drops_title_length check (char_length(title) between 1 and 100),
  constraint encouragement_drops_content_length check (char_length(content) between 1 and 500),
  constraint encouragement_drops_media_has_link check ((drop_type = 'media') = (media_url is not null)),
  constraint encouragement_drops_link_has_service check ((media_type is null) = (media_url is null)),
  constraint encouragement_drops_link_is_https check (media_url ~ '^https://' and char_length(media_url) <= 2048),
  constraint encouragement_drops_thumbnail_is_of_link check (thumbnail_url is null or media_url is not null),
  constraint encouragement_drops_thumbnail_is_https check (thumbnail_url ~ '^https://' and char_length(thumbnail_url) <= 2048),
  constraint encouragement_drops_day_is_utc check (date_sent = (created_at at time zone 'UTC')::date),
  constraint encouragement_drops_window_is_later check (engagement_until > created_at),
  constraint encouragement_drops_system_never_earns
    check (sender_id <> '00000000-0000-4000-8000-000000000001' or engagement = 'never'),
  constraint encouragement_drops_bonus_follows_engagement
    check (bonus_drops_awarded >= 0 and (engagement = 'engaged' or bonus_drops_awarded = 0))
);
comment on table nectar.encouragement_drops is 'Drops that were sent, with a copy of their text.';
comment on column nectar.encouragement_drops.is_custom is 'Whether the words are the sender''s own.';
comment on column nectar.encouragement_drops.date_sent is 'The UTC day of created_at.';
comment on column nectar.encouragement_drops.hidden_at is 'Since when the recipient does not see the drop, by a decision of an admin.';
comment on column nectar.encouragement_drops.engagement_until is 'Until then, inclusive, an entry of the recipient counts.';
comment on column nectar.encouragement_drops.engagement is 'open: may still count; engaged: did; expired: did not; never: from or to a user who is not human.';

create index encouragement_drops_received on nectar.encouragement_drops (recipient_id, created_at desc, id desc);
create index encouragement_drops_unread on nectar.encouragement_drops (recipient_id, created_at desc, id desc)
  where read_at is null;
create index encouragement_drops_sent on nectar.encouragement_drops (sender_id, created_at desc, id desc);
create index encouragement_drops_template on nectar.encouragement_drops (template_id) where template_id is not null;
create index encouragement_drops_entry on nectar.encouragement_drops (entry_id) where entry_id is not null;
create index encouragement_drops_goal on nectar.encouragement_drops (goal_id) where goal_id is not null;
create index encouragement_drops_open on nectar.encouragement_drops (sender_id, id) where engagement = 'open';

create view nectar.readable_drops with (security_invoker = true) as
select
  d.id, d.sender_id, d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content,
  d.media_type, d.media_url, d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id, d.goal_id,
  case when d.engagement in ('open', 'engaged') then d.engagement::text else 'none' end as engagement,
  d.engaged_at, d.bonus_drops_awarded,
  -- Not joined, so that only the people of the page are looked up.
  (
    select json_build_object(
      'id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_assistant', p.id = private.system_user_id()
    )
    from nectar.profiles p where p.id = d.sender_id
  ) as sender,
  (
    select json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_ai', p.is_ai)
    from nectar.profiles p where p.id = d.recipient_id
  ) as recipient
from nectar.encouragement_drops d;
comment on view nectar.readable_drops is 'Drops with the cards of their sender and their recipient.';
grant select on nectar.readable_drops to nectar_user;

create type private.drop_sender as (id uuid, full_name text, avatar_url text, is_assistant boolean);
comment on type private.drop_sender is 'Who sent a drop.';
create type private.received_drop as (
  id uuid, sender_id uuid, sender private.drop_sender, recipient_id uuid, drop_type nectar.encouragement_drop_type,
  is_custom boolean, template_id uuid, title text, content text, media_type nectar.media_type, media_url text,
  thumbnail_url text, date_sent date, created_at text, read_at text, entry_id uuid, goal_id uuid
);
comment on type private.received_drop is 'A drop as its recipient sees it.';

create view nectar.drop_objects with (security_invoker = true) as
select
  d.id, d.recipient_id, d.created_at, d.read_at,
  row(
    d.id, d.sender_id,
    (
      select row(p.id, p.full_name, p.avatar_url, p.id = private.system_user_id())::private.drop_sender
      from nectar.profiles p where p.id = d.sender_id
    ),
    d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content, d.media_type, d.media_url,
    d.thumbnail_url, d.date_sent, private.rfc3339(d.created_at), private.rfc3339(d.read_at), d.entry_id, d.goal_id
  )::private.received_drop as drop
from nectar.encouragement_drops d;
comment on view nectar.drop_objects is 'Drops as their recipients see them.';
grant select on nectar.drop_objects to nectar_user;

-- Returns how many received drops of a person are unread.
create function private.count_unread_drops(p_user_id uuid) returns bigint
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (select count(*) from nectar.encouragement_drops d where d.recipient_id = p_user_id and d.read_at is null);
end $$;
grant execute on function private.count_unread_drops(uuid) to nectar_user;

-- Counts a sent drop and the days in a row for the badge of its sender, whose level may rise. Drops of the system user
-- are not counted. Security definer: no role may write badges directly.
create function private.count_sent_drop() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_may_climb boolean;
begin
  if new.sender_id = private.system_user_id() then return null; end if;
  update nectar.user_badges b
  set total_drops_sent = b.total_drops_sent + 1,
    run_days = case
      when new.date_sent <= b.last_sent_on then b.run_days
      when new.date_sent = b.last_sent_on + 1 then b.run_days + 1
      else 1
    end,
    last_sent_on = greatest(new.date_sent, b.last_sent_on)
  where b.user_id = new.sender_id
  returning exists (
    select from nectar.badge_definitions d
    where d.level > b.level and d.min_engagement_increases <= b.engagement_increases
  ) into v_may_climb;
  if v_may_climb then perform private.recalculate_badges(array[new.sender_id], new.created_at); end if;
  return null;
end $$;

-- Not "when (...)": a condition is parsed and planned in each statement.
create trigger encouragement_drops__count_sent
  after insert on nectar.encouragement_drops
  for each row execute function private.count_sent_drop();

alter table nectar.encouragement_drops enable row level security;

-- Not "or": the planner would take it for a second, rare condition besides the one that each query has anyway, expect
-- hardly any rows, and read all drops of a person to find one page.
create policy "the sender sees a drop, and the recipient unless it is hidden" on nectar.encouragement_drops
  for select to nectar_user using (
    case when recipient_id = (select private.actor_id()) then hidden_at is null else sender_id = (select private.actor_id()) end
  );
create policy "the recipient marks a drop as read" on nectar.encouragement_drops
  for update to nectar_user using (recipient_id = (select private.actor_id()));

grant select, update (read_at) on nectar.encouragement_drops to nectar_user;
