-- People: who did what, tokens of programs, profiles, sign-up, requests.

-- The audit log. Nothing refers to users: a record outlives whom it is about.
create table audit (
  -- a ULID, so the order of ids is that of time
  id text ${binary} primary key,
  happened bigint not null,
  -- empty where nobody was signed in
  user_id text ${binary} not null,
  user_name text ${binary} not null,
  token_id text ${binary} not null,
  address text not null,
  action text ${binary} not null,
  target text ${binary} not null,
  -- JSON, or empty
  before_values text not null,
  after_values text not null
);

create index audit_user on audit (lower(user_name), id);
create index audit_action on audit (action, id);
create index audit_target on audit (target, id);
