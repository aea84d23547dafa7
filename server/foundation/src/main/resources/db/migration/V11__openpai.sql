-- What OpenPAI's clients list jobs by.

-- prod, test or oppo; null where the job file says nothing
alter table job add column priority text ${binary};
alter table job add column role_count int not null default 1;
-- owner, name and virtual cluster in lower case, for whoever looks for a part of them
alter table job add column search text ${binary} not null default '';

update job set search = lower(user_name || '/' || name || '/' || virtual_cluster);

-- Newest first, and nearly all that lists choose, sort and count by, so that they read nothing else.
create index job_search on job (id, user_id, state, stop_cause, search, user_name, virtual_cluster,
  priority, devices, task_count, attempt, ended);

-- Words that people and programs put on jobs. Go with their job.
create table job_tag (
  job_id text ${binary} not null references job (id) on delete cascade,
  tag text ${binary} not null,
  primary key (job_id, tag)
);

create index job_tag_tag on job_tag (tag, job_id);
