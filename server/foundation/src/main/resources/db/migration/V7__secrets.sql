-- What a job file says under secrets, sealed with a key that is in no table; see SecretBox. Goes with
-- its job.
create table job_secret (
  job_id text ${binary} primary key references job (id) on delete cascade,
  -- which key of the file secret-keys opens it
  key_id text ${binary} not null,
  sealed text not null
);

create index job_secret_key on job_secret (key_id);
