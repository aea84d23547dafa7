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

-- Tokens of programs: kind application.
alter table token add column name text not null default '';
-- read | submit | all
alter table token add column scope text not null default 'all';

-- What people say about themselves. Empty texts where they said nothing.
alter table users add column email text not null default '';
alter table users add column display_name text not null default '';
-- en | zh
alter table users add column language text not null default '';
-- a JSON object that belongs to clients; nothing here reads it
alter table users add column extension text not null default '{}';

create table ssh_key (
  id text ${binary} primary key,
  user_id text ${binary} not null references users (id) on delete cascade,
  title text not null,
  -- type and base64, without a comment
  key_text text not null,
  fingerprint text ${binary} not null,
  created bigint not null,
  unique (user_id, fingerprint)
);
