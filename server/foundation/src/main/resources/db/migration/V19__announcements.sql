-- What administrators tell everybody.
create table announcement (
  id text ${binary} primary key,
  title text not null,
  body text not null,
  -- info | warning | critical
  level text ${binary} not null,
  -- shown from here on, and until then; null for ever
  starts bigint not null,
  ends bigint,
  user_name text not null,
  created bigint not null
);
