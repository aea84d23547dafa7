-- Of a job without a gang a single task may be tried again while the others go on.

-- how often it was; the row is that of its newest run
alter table task add column retry int not null default 0;

-- Runs that were, or will be, followed by another of the same task.
create table earlier_run (
  job_id text ${binary} not null references job (id) on delete cascade,
  attempt int not null,
  role text ${binary} not null,
  task_index int not null,
  retry int not null,
  node text not null,
  devices text not null,
  ports text not null,
  address text,
  started bigint,
  ended bigint not null,
  exit_code int not null,
  exit_reason text not null,
  detail text not null,
  -- why the task is tried again, when, and what is remembered for the time after
  cause text not null,
  not_before bigint,
  back_off bigint not null,
  counted int not null,
  faults int not null,
  conflicts int not null,
  primary key (job_id, attempt, role, task_index, retry)
);
