-- One text for both databases: ids and names are text, times are milliseconds since 1970, yes and no
-- are 1 and 0. ${binary} makes a text column compare byte by byte on PostgreSQL, as SQLite always does.

create table users (
  id text ${binary} primary key,
  name text ${binary} not null unique,
  -- lower case; Alice and alice are one name
  name_key text ${binary} not null unique,
  password text not null,
  admin int not null,
  disabled int not null,
  id_range int not null unique,
  created bigint not null
);

-- Numbers that are given once and never again, even after what had them was deleted.
create table counter (
  name text ${binary} primary key,
  next_value bigint not null
);

insert into counter (name, next_value) values ('id_range', 1);

create table token (
  id text ${binary} primary key,
  user_id text ${binary} not null references users (id) on delete cascade,
  -- SHA-256 in hexadecimal; the token itself is nowhere
  hash text ${binary} not null unique,
  -- session | local
  kind text not null,
  created bigint not null,
  -- null for one that does not expire
  expires bigint,
  last_used bigint not null
);

create index token_user on token (user_id);
create index token_expires on token (expires);
