-- Why: People send each other drops: a few words, a link to media, or a fact. Only the sender and the recipient see
-- what a drop says.

-- Types ---------------------------------------------------------------------------------------------------------------
create type nectar.engagement_state as enum ('open', 'engaged', 'expired', 'never');

-- Tables --------------------------------------------------------------------------------------------------------------
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
  is_custom boolean not null,
  date_sent date not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  engagement_until timestamptz(3) not null,
  engagement nectar.engagement_state not null default 'open',
  engaged_at timestamptz(3),
  bonus_drops_awarded integer not null default 0,
  constraint encouragement_drops_not_to_sender check (sender_id <> recipient_id),
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
comment on column nectar.encouragement_drops.engagement_until is 'Until then, inclusive, an entry of the recipient counts.';
comment on column nectar.encouragement_drops.engagement is 'open: may still count; engaged: did; expired: did not; never: from or to a user who is not human.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index encouragement_drops_received on nectar.encouragement_drops (recipient_id, created_at desc, id desc);
create index encouragement_drops_unread on nectar.encouragement_drops (recipient_id, created_at desc, id desc)
  where read_at is null;
create index encouragement_drops_sent on nectar.encouragement_drops (sender_id, created_at desc, id desc);
create index encouragement_drops_template on nectar.encouragement_drops (template_id) where template_id is not null;
create index encouragement_drops_entry on nectar.encouragement_drops (entry_id) where entry_id is not null;
create index encouragement_drops_open on nectar.encouragement_drops (sender_id, id) where engagement = 'open';

-- Views ---------------------------------------------------------------------------------------------------------------
create view nectar.readable_drops with (security_invoker = true) as
select
  d.id, d.sender_id, d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content,
  d.media_type, d.media_url, d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id,
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

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.list_received_drops(
  p_user_id uuid, p_unread boolean, p_after timestamptz, p_after_id uuid, p_max integer
)
  returns setof nectar.readable_drops
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  if p_unread then
    return query
      select d.*
      from nectar.readable_drops d
      where d.recipient_id = p_user_id and d.read_at is null and (d.created_at, d.id) < (p_after, p_after_id)
      order by d.created_at desc, d.id desc
      limit p_max;
  else
    return query
      select d.*
      from nectar.readable_drops d
      where d.recipient_id = p_user_id and (d.created_at, d.id) < (p_after, p_after_id)
      order by d.created_at desc, d.id desc
      limit p_max;
  end if;
end
$$;
comment on function private.list_received_drops(uuid, boolean, timestamptz, uuid, integer) is
  'A page of the drops that a person received, or of the unread ones, newest first, after a row (its time and id).';
grant execute on function private.list_received_drops(uuid, boolean, timestamptz, uuid, integer) to nectar_user;

create function private.count_unread_drops(p_user_id uuid) returns bigint
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return (
    select count(*) from nectar.encouragement_drops d where d.recipient_id = p_user_id and d.read_at is null
  );
end
$$;
comment on function private.count_unread_drops(uuid) is 'How many of the drops that a person received are unread.';
grant execute on function private.count_unread_drops(uuid) to nectar_user;

create function private.record_encouragement_drop(
  p_drop jsonb, p_sees_entry boolean, p_moment timestamptz, out drop_id uuid, out allowance json
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
  v_given record;
  v_template nectar.drop_templates;
  v_day nectar.encouragement_allowances;
begin
  perform private.check_moment(p_moment);
  -- One statement: starting another one takes longer than what it would read here.
  select d.*, recipient.is_ai as to_ai, sender.full_name as sender_name, rules.engagement_window_hours,
    rules.max_custom_drops_per_day
  into v_given
  from jsonb_to_record(p_drop) d (
    recipient_id uuid, type nectar.encouragement_drop_type, template_id uuid, content text, media_type nectar.media_type,
    media_url text, thumbnail_url text, entry_id uuid
  )
  cross join nectar.encouragement_config rules
  left join nectar.profiles recipient on recipient.id = d.recipient_id
  left join nectar.profiles sender on sender.id = v_actor;
  if v_given.recipient_id = v_actor then
    raise exception 'a drop to oneself' using errcode = 'NX000', detail = 'encouragement.self_send';
  end if;
  if v_given.recipient_id = private.system_user_id() then
    raise exception 'a drop to the system user' using errcode = 'NX000', detail = 'encouragement.system_recipient';
  end if;
  if v_given.template_id is not null then
    select * into v_template from nectar.drop_templates t where t.id = v_given.template_id and t.is_approved;
    if not found then
      raise exception 'no such template' using errcode = 'NX000', detail = 'encouragement.template_not_found';
    end if;
    if v_given.type <> v_template.type then
      raise exception 'the template is of another type' using errcode = 'NX000', detail = 'encouragement.type_mismatch';
    end if;
  else
    v_template.type := coalesce(v_given.type, 'encouragement');
    v_template.content := v_given.content;
    v_template.media_type := v_given.media_type;
    v_template.media_url := v_given.media_url;
    v_template.thumbnail_url := v_given.thumbnail_url;
  end if;
  if v_given.to_ai is null then
    raise exception 'no such recipient' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  if v_given.entry_id is not null and p_sees_entry is not true then
    raise exception 'no such entry' using errcode = 'NX000', detail = 'journal.not_found';
  end if;

  v_day := private.use_allowance(v_actor, (p_moment at time zone 'UTC')::date, v_given.template_id is null);
  if v_day.drops_used > v_day.daily_allowance + v_day.bonus_carried + v_day.bonus_earned then
    raise exception 'allowance exhausted' using errcode = 'NX000', detail = 'encouragement.allowance_exhausted';
  end if;
  if v_given.template_id is null and v_day.custom_drops_used > v_given.max_custom_drops_per_day then
    raise exception 'custom drops exhausted' using errcode = 'NX000', detail = 'encouragement.custom_drops_exhausted';
  end if;
  allowance := json_build_object(
    'daily_allowance', v_day.daily_allowance,
    'drops_used', v_day.drops_used,
    'bonus_drops_earned', v_day.bonus_carried + v_day.bonus_earned,
    'custom_drops_used', v_day.custom_drops_used,
    'max_custom_drops_per_day', v_given.max_custom_drops_per_day
  );

  insert into nectar.encouragement_drops (
    sender_id, recipient_id, drop_type, template_id, title, content, media_type, media_url, thumbnail_url, entry_id,
    is_custom, date_sent, created_at, engagement_until, engagement
  )
  values (
    v_actor, v_given.recipient_id, v_template.type, v_given.template_id, v_template.title, v_template.content,
    v_template.media_type, v_template.media_url, v_template.thumbnail_url, v_given.entry_id,
    v_given.template_id is null, v_day.date, p_moment,
    p_moment + make_interval(hours => v_given.engagement_window_hours),
    case when v_given.to_ai then 'never'::nectar.engagement_state else 'open' end
  )
  returning id into drop_id;
  -- Not private.notify: the drop has locked the profile of the recipient.
  insert into nectar.notifications (user_id, type, title, body, data)
  values (
    v_given.recipient_id, 'drop_received', 'A drop for you',
    coalesce(v_given.sender_name, 'Someone') || ' sent you a drop.',
    jsonb_build_object('drop_id', drop_id, 'sender_id', v_actor, 'drop_type', v_template.type)
  );
  if v_given.template_id is not null then
    -- Last, because everyone who sends this template waits for this row.
    update nectar.drop_templates t set usage_count = t.usage_count + 1 where t.id = v_given.template_id;
  end if;
end
$$;
comment on function private.record_encouragement_drop(jsonb, boolean, timestamptz) is
  'Does the work of private.send_encouragement_drop, which says whether the caller sees the entry. Counts the drop under the lock of the day''s allowance, and returns its id and the allowance as private.read_allowance does. Security definer: no role may write drops or counts directly.';
grant execute on function private.record_encouragement_drop(jsonb, boolean, timestamptz) to nectar_user;

create function private.send_encouragement_drop(p_drop jsonb, p_moment timestamptz)
  returns table (sent nectar.readable_drops, allowance json, badge json)
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_sees_entry boolean;
  v_recorded record;
begin
  if p_drop ->> 'entry_id' is not null then
    v_sees_entry := exists (select from nectar.journal_entries e where e.id = (p_drop ->> 'entry_id')::uuid);
  end if;
  v_recorded := private.record_encouragement_drop(p_drop, v_sees_entry, p_moment);
  return query
    select d, v_recorded.allowance, to_json(b)
    from nectar.readable_drops d
    join nectar.user_badges b on b.user_id = d.sender_id
    where d.id = v_recorded.drop_id;
end
$$;
comment on function private.send_encouragement_drop(jsonb, timestamptz) is
  'The caller sends a drop: recipient_id, and a template_id, or content with or without type, media_type, media_url and thumbnail_url; entry_id if it is about an entry. Returns the drop, and the allowance and the badge of the caller after it. Raises encouragement.self_send, encouragement.system_recipient, encouragement.template_not_found (also for a draft), encouragement.type_mismatch, user.not_found, journal.not_found (also if the caller may not see the entry), encouragement.allowance_exhausted, encouragement.custom_drops_exhausted, and service.unexpected unless the moment is now. Security invoker, so that the policies decide whether the caller sees the entry.';
grant execute on function private.send_encouragement_drop(jsonb, timestamptz) to nectar_user;

-- Row-level security --------------------------------------------------------------------------------------------------
alter table nectar.encouragement_drops enable row level security;

-- Not "or": the planner would take it for a second, rare condition besides the one that each query has anyway, expect
-- hardly any rows, and read all drops of a person to find one page.
create policy "sender and recipient see a drop" on nectar.encouragement_drops
  for select to nectar_user using (
    case when recipient_id = (select private.actor_id()) then true else sender_id = (select private.actor_id()) end
  );
create policy "the recipient marks a drop as read" on nectar.encouragement_drops
  for update to nectar_user
  using (recipient_id = (select private.actor_id())) with check (recipient_id = (select private.actor_id()));

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on nectar.encouragement_drops to nectar_user;
grant update (read_at) on nectar.encouragement_drops to nectar_user;
