-- Job files that users keep to start from.
create table job_template (
  id text ${binary} primary key,
  user_id text ${binary} not null references users (id) on delete cascade,
  name text ${binary} not null,
  description text not null,
  -- a job file, its secrets masked
  body text not null,
  changed bigint not null,
  unique (user_id, name)
);
