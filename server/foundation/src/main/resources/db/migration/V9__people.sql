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

-- What administrators decide at run time, in JSON, by name.
create table runtime_setting (
  name text ${binary} primary key,
  value_json text not null
);

create table invitation (
  id text ${binary} primary key,
  -- SHA-256 in hexadecimal; the code itself is nowhere
  hash text ${binary} not null unique,
  note text not null,
  -- names of groups, in JSON
  group_names text not null,
  uses int not null,
  uses_left int not null,
  created bigint not null,
  created_by text not null,
  -- null for one that does not expire
  expires bigint,
  revoked int not null
);

-- Who wants to be a user and waits for an administrator, or was refused.
create table newcomer (
  id text ${binary} primary key,
  name text ${binary} not null,
  name_key text ${binary} not null unique,
  password text not null,
  email text not null,
  display_name text not null,
  language text not null,
  -- what they say to the administrator
  message text not null,
  address text not null,
  created bigint not null,
  -- 1 once refused
  refused int not null,
  word text not null,
  decided bigint,
  decided_by text
);

-- What users ask administrators for.
create table user_request (
  id text ${binary} primary key,
  user_id text ${binary} not null references users (id) on delete cascade,
  -- device | pool | data | other
  kind text not null,
  what text not null,
  reason text not null,
  -- open | granted | refused
  state text ${binary} not null,
  word text not null,
  created bigint not null,
  decided bigint,
  decided_by text
);

create index user_request_user on user_request (user_id, id);
create index user_request_state on user_request (state, id);
