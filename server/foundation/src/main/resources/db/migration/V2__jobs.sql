-- Every list goes newest first, which is id descending. A list is made of one short index range per
-- owner and state, so it needs no index for "all of one owner" or "several states".

create table job (
  id text ${binary} primary key,
  -- grows with every change; who changes a job names the version that was read
  version bigint not null,
  user_id text ${binary} not null,
  user_name text ${binary} not null,
  name text ${binary} not null,
  state text ${binary} not null,
  format text not null,
  image text not null,
  virtual_cluster text not null,
  -- of all tasks together
  cpus bigint not null,
  memory_mb bigint not null,
  devices bigint not null,
  task_count int not null,
  -- the newest attempt, 0 before the first
  attempt int not null,
  submitted bigint not null,
  started bigint,
  ended bigint,
  exit_code int,
  stop_cause text,
  stopped_by text,
  -- how it ended; why it waits is never stored
  reason_code text,
  reason_params text,
  unique (user_id, name)
);

create index job_state on job (state, id);
create index job_owner_state on job (user_id, state, id);
create index job_name on job (name, id);

-- Whoever ever submitted, so that jobs of a deleted user are still found by name.
create table job_owner (
  user_id text ${binary} primary key,
  user_name text ${binary} not null
);

create index job_owner_name on job_owner (user_name);

-- Apart from job because it may be large and lists never need it.
create table job_config (
  job_id text ${binary} primary key references job (id) on delete cascade,
  -- as it was submitted
  raw text not null,
  -- as it was understood, in JSON
  spec text not null,
  -- what the submitter was warned of, in JSON
  warnings text not null
);

create table attempt (
  job_id text ${binary} not null references job (id) on delete cascade,
  number int not null,
  created bigint not null,
  started bigint,
  ended bigint,
  -- 1 or 0 once its end is decided, though tasks may still be ending
  succeeded int,
  exit_code int,
  reason_code text,
  reason_params text,
  primary key (job_id, number)
);

create table task (
  job_id text ${binary} not null references job (id) on delete cascade,
  attempt int not null,
  role text ${binary} not null,
  task_index int not null,
  state text not null,
  node text not null,
  -- indices of its cards, by comma
  devices text not null,
  started bigint,
  ended bigint,
  -- the order in which the tasks of an attempt ended, from 1
  end_order int,
  exit_code int,
  exit_reason text,
  detail text,
  primary key (job_id, attempt, role, task_index)
);
