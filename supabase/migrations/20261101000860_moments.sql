-- Why: a request tells the database the moment at which it acts, so that one request has one time and tests can play a
-- day. A person's request may only ever act now, so functions that a person may call check the moment that they are given.

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.moment_tolerance() returns interval
  language sql immutable security invoker
  set search_path = ''
  as $$ select interval '5 minutes' $$;
comment on function private.moment_tolerance() is
  'How far a moment that a person''s request passes may be from the clock of the database: room for clocks that differ and for a loaded function. Only the owner of the database can change it; test databases widen it.';

create function private.check_moment(p_moment timestamptz) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  if (p_moment between clock_timestamp() - private.moment_tolerance() and clock_timestamp() + private.moment_tolerance())
    is not true
  then
    raise exception 'the moment is not now' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
end
$$;
comment on function private.check_moment(timestamptz) is
  'Raises service.unexpected unless the moment is now, give or take private.moment_tolerance(). Called first by every security definer function that takes a moment and that nectar_user may call.';

-- Grants ----------------------------------------------------------------------------------------------------------------
revoke execute on all functions in schema private from public;
