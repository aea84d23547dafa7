-- That a job was deleted, which outlives it and its events. The numbers are those of events.

create table job_deletion (
  id bigint primary key,
  job_id text ${binary} not null,
  -- the owner of the job, who may see it
  user_id text ${binary} not null,
  user_name text not null,
  name text not null,
  happened bigint not null,
  attempt int not null,
  code text not null,
  params text not null
);

create index job_deletion_job on job_deletion (job_id, id);
create index job_deletion_owner on job_deletion (user_id, id);
