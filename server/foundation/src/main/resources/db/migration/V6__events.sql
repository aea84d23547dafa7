-- What happened to jobs, in the order in which it became known: whoever sees an event can see every
-- one with a smaller number that is still kept. Goes with its job.
create table event (
  id ${numbered},
  job_id text ${binary} not null references job (id) on delete cascade,
  -- the owner of the job, who may see it
  user_id text ${binary} not null,
  happened bigint not null,
  type text not null,
  -- 1 for what somebody should look at
  warning int not null,
  -- the newest attempt at that time, 0 before the first
  attempt int not null,
  -- only of an event of a single task
  role text,
  task_index int,
  code text not null,
  params text not null
);

create index event_job on event (job_id, id);
create index event_owner on event (user_id, id);
